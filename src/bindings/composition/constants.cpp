// SPDX-License-Identifier: Apache-2.0
#include "bindings/composition/constants.hpp"

#include <algorithm>
#include <limits>

#include "strata/builder.hpp"

namespace strata::bindings {

using puppet::as;
using puppet::Expression;
using puppet::Node;

namespace {

/// A number behind a minus sign.
const Value* negated(const Expression& expression) noexcept {
  const auto& unary = as<puppet::Unary>(expression);
  if (unary.operation != puppet::UnaryOperator::negate) return nullptr;
  const Value* value = scalar_constant(*unary.operand);
  if (value == nullptr) return nullptr;
  const bool whole = value->kind() == Kind::integer && value->as_integer() != std::numeric_limits<std::int64_t>::min();
  return whole || value->kind() == Kind::floating ? value : nullptr;
}

bool is_key_of_data(const Value& value) noexcept {
  return value.is_text() || value.kind() == Kind::integer || value.kind() == Kind::floating;
}

}  // namespace

// Recursion: the parser bounds the nesting of expressions.
bool is_constant(const Expression& expression) noexcept {
  switch (expression.node) {
    case Node::literal:
    case Node::word:
    case Node::regex:
      return true;
    case Node::unary:
      return negated(expression) != nullptr;
    case Node::list:
      for (const Expression* item : as<puppet::List>(expression).items) {
        if (!is_constant(*item)) return false;
      }
      return true;
    case Node::hash:
      for (const puppet::HashEntry& entry : as<puppet::Hash>(expression).entries) {
        if (scalar_constant(*entry.key) == nullptr || !is_constant(*entry.value)) return false;
      }
      return true;
    default:
      return false;
  }
}

// Recursion: the parser bounds the nesting of expressions.
bool is_data_constant(const Expression& constant) noexcept {
  switch (constant.node) {
    case Node::regex:
      return false;
    case Node::list: {
      const auto items = as<puppet::List>(constant).items;
      return std::all_of(items.begin(), items.end(), [](const Expression* item) { return is_data_constant(*item); });
    }
    case Node::hash: {
      const auto entries = as<puppet::Hash>(constant).entries;
      return std::all_of(entries.begin(), entries.end(), [](const puppet::HashEntry& entry) {
        return is_key_of_data(*scalar_constant(*entry.key)) && is_data_constant(*entry.value);
      });
    }
    default:
      return true;
  }
}

// Recursion: the parser bounds the nesting of expressions.
Value fold(Arena& arena, const Expression& expression) {
  switch (expression.node) {
    case Node::literal:
      return as<puppet::Literal>(expression).value;
    case Node::word:
      return as<puppet::Word>(expression).value;
    case Node::regex:
      return as<puppet::RegexLiteral>(expression).value.with_origin(expression.origin);
    case Node::unary: {
      const Value* value = negated(expression);
      if (value == nullptr) return {};
      const Value out = value->kind() == Kind::integer ? Value::integer(-value->as_integer())
                                                       : Value::floating(-value->as_floating());
      return out.with_origin(expression.origin);
    }
    case Node::list: {
      const auto items = as<puppet::List>(expression).items;
      SequenceBuilder out(arena, items.size());
      for (const Expression* item : items) {
        const Value value = fold(arena, *item);
        if (!value) return {};
        out.append(value);
      }
      return out.finish().with_origin(expression.origin);
    }
    case Node::hash: {
      const auto entries = as<puppet::Hash>(expression).entries;
      MappingBuilder out(arena, KeyEquality::exact, entries.size());
      for (const puppet::HashEntry& entry : entries) {
        const Value* key = scalar_constant(*entry.key);
        if (key == nullptr) return {};
        const Value value = fold(arena, *entry.value);
        if (!value || !out.insert(arena.key(*key), value)) return {};
      }
      return out.finish().with_origin(expression.origin);
    }
    default:
      return {};
  }
}

}  // namespace strata::bindings
