// Expressions that are values as they stand.
#pragma once

#include "puppet/language/ast.hpp"
#include "strata/value.hpp"

namespace strata::bindings {

/// The value of a Literal or Word; null pointer for anything else.
[[nodiscard]] inline const Value* scalar_constant(const puppet::Expression& expression) noexcept {
  if (expression.node == puppet::Node::literal) return &puppet::as<puppet::Literal>(expression).value;
  if (expression.node == puppet::Node::word) return &puppet::as<puppet::Word>(expression).value;
  return nullptr;
}

/// Whether an expression is made of literals and patterns alone.
[[nodiscard]] bool is_constant(const puppet::Expression& expression) noexcept;

/// Whether a constant that is not undef is Data: it holds no patterns, and only texts and numbers are keys.
[[nodiscard]] bool is_data_constant(const puppet::Expression& constant) noexcept;

/// The value of a constant, with the origins of its parts; absent where it is none, or has a key twice (which is for the evaluator to judge).
[[nodiscard]] Value fold(Arena& arena, const puppet::Expression& expression);

}  // namespace strata::bindings
