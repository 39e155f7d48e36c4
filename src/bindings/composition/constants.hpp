// SPDX-License-Identifier: Apache-2.0
// Constant expressions.
#pragma once

#include "puppet/language/ast.hpp"
#include "strata/value.hpp"

namespace strata::bindings {

/// The value of a Literal or Word. Null for anything else.
[[nodiscard]] inline const Value* scalar_constant(const puppet::Expression& expression) noexcept {
  if (expression.node == puppet::Node::literal) return &puppet::as<puppet::Literal>(expression).value;
  if (expression.node == puppet::Node::word) return &puppet::as<puppet::Word>(expression).value;
  return nullptr;
}

/// Whether an expression consists of literals and patterns only.
[[nodiscard]] bool is_constant(const puppet::Expression& expression) noexcept;

/// Whether a constant other than undef is Data: it contains no patterns, and only texts and numbers are keys.
[[nodiscard]] bool is_data_constant(const puppet::Expression& constant) noexcept;

/// The value of a constant, with the origins of its parts. Absent if it is not constant or has a duplicate key (which
/// the evaluator handles).
[[nodiscard]] Value fold(Arena& arena, const puppet::Expression& expression);

}  // namespace strata::bindings
