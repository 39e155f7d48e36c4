// SPDX-License-Identifier: Apache-2.0
// The built-in functions by name.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "puppet/evaluation/evaluator.hpp"

namespace strata::puppet {

/// A built-in function. The number of arguments and the lambda are already checked against its entry; it checks types
/// itself (`wrong_argument` in puppet/evaluation/operations.hpp). A result without an origin gets that of the call.
/// Absent: a jump is pending.
using Builtin = Value (*)(const FunctionCall& call, Evaluator& evaluator);

enum class BlockRule : std::uint8_t { none, optional, required };

struct BuiltinEntry {
  static constexpr std::uint8_t kMany = 255;  ///< For `most`: any number.

  std::string_view name;
  Builtin function = nullptr;
  std::uint8_t least = 0;
  std::uint8_t most = kMany;
  BlockRule block = BlockRule::none;
};

/// Null if there is none. Cost: one hash of the name.
[[nodiscard]] const BuiltinEntry* find_builtin(std::string_view name) noexcept;
/// All of them, sorted by name.
[[nodiscard]] std::span<const std::string_view> builtin_names() noexcept;

}  // namespace strata::puppet
