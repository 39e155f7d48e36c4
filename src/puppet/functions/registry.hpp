// The built-in functions by name.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "puppet/evaluation/evaluator.hpp"

namespace strata::puppet {

/// What a built-in function is. The number of arguments and the lambda were checked against its entry; types are its own matter
/// (`wrong_argument` in puppet/evaluation/operations.hpp). A result without an origin gets that of the call. The absent value: a jump is pending.
using Builtin = Value (*)(const FunctionCall& call, Evaluator& evaluator);

enum class BlockRule : std::uint8_t { none, optional, required };

struct BuiltinEntry {
  static constexpr std::uint8_t kMany = 255;  ///< As `most`: any number.

  std::string_view name;
  Builtin function = nullptr;
  std::uint8_t least = 0;
  std::uint8_t most = kMany;
  BlockRule block = BlockRule::none;
};

/// Null pointer where there is none. Cost: one hash of the name.
[[nodiscard]] const BuiltinEntry* find_builtin(std::string_view name) noexcept;
/// All of them, sorted by name.
[[nodiscard]] std::span<const std::string_view> builtin_names() noexcept;

}  // namespace strata::puppet
