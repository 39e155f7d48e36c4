// SPDX-License-Identifier: Apache-2.0
// The arguments of sprintf's specifiers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "puppet/functions/arguments.hpp"

namespace strata::puppet {

/// The arguments after the format: in sequence, by number or by name; a format uses only one way. Errors:
/// `puppet.format`.
class FormatArguments {
 public:
  FormatArguments(const FunctionCall& call, const Evaluator& evaluator)
      : call_(call), evaluator_(evaluator), arguments_(call.arguments.subspan(1)) {}

  [[nodiscard]] const Value& next();
  /// From 1: `%1$s`.
  [[nodiscard]] const Value& at(std::int64_t number);
  /// `%<name>s`, `%{name}`: a member of the only argument.
  [[nodiscard]] const Value& named(std::string_view name);

  /// Whether a secret argument was used.
  [[nodiscard]] bool is_secret() const noexcept { return secret_; }
  [[noreturn]] void fail(const std::string& message) const {
    throw failed(call_, evaluator_, "puppet.format", message);
  }

 private:
  enum class Mode : std::uint8_t { open, in_turn, numbered, named };
  void choose(Mode mode);
  const Value& argument(std::size_t number);

  const FunctionCall& call_;
  const Evaluator& evaluator_;
  std::span<const Value> arguments_;
  Mode mode_ = Mode::open;
  std::size_t taken_ = 0;
  bool secret_ = false;
};

}  // namespace strata::puppet
