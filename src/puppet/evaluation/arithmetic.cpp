// SPDX-License-Identifier: Apache-2.0
// Operators.
#include <cmath>
#include <limits>

#include "puppet/evaluation/collections.hpp"
#include "puppet/evaluation/evaluator.hpp"
#include "puppet/evaluation/objects.hpp"
#include "puppet/evaluation/operations.hpp"
#include "puppet/evaluation/pattern_object.hpp"
#include "puppet/types/integer.hpp"

namespace strata::puppet {
namespace {

using Op = BinaryOperator;

std::string_view sign_of(Op operation) noexcept {
  constexpr std::string_view kSigns[] = {
      "+", "-", "*", "/", "%", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "=~", "!~", "in", "and", "or"};
  return kSigns[static_cast<std::size_t>(operation)];
}

class Arithmetic {
 public:
  Arithmetic(const Binary& binary, const Evaluator& evaluator) : binary_(binary), evaluator_(evaluator) {}

  [[nodiscard]] Value of(std::int64_t left, std::int64_t right) const {
    std::int64_t out = 0;
    bool over = false;
    switch (binary_.operation) {
      case Op::add:
        over = __builtin_add_overflow(left, right, &out);
        break;
      case Op::subtract:
        over = __builtin_sub_overflow(left, right, &out);
        break;
      case Op::multiply:
        over = __builtin_mul_overflow(left, right, &out);
        break;
      case Op::divide:
      case Op::modulo:
        return divided(left, right);
      case Op::shift_left:
        return shifted(left, right);
      default:
        return shifted(left, right == std::numeric_limits<std::int64_t>::min()
                                 ? std::numeric_limits<std::int64_t>::max()
                                 : -right);
    }
    if (over) overflow();
    return Value::integer(out);
  }

  [[nodiscard]] Value of(double left, double right) const {
    double out = 0;
    switch (binary_.operation) {
      case Op::add:
        out = left + right;
        break;
      case Op::subtract:
        out = left - right;
        break;
      case Op::multiply:
        out = left * right;
        break;
      case Op::divide:
        out = left / right;
        break;
      default:
        throw fail("puppet.operand", "'" + std::string(sign_of(binary_.operation)) + "' takes whole numbers only");
    }
    if (std::isinf(out))
      throw fail("puppet.overflow", "the result of '" + std::string(sign_of(binary_.operation)) + "' is infinite");
    return Value::floating(out);
  }

  [[nodiscard]] Error fail(std::string_view code, std::string message) const {
    return evaluator_.error(binary_.sign, code, std::move(message));
  }

  [[noreturn]] void overflow() const {
    throw fail("puppet.overflow",
               "the result of '" + std::string(sign_of(binary_.operation)) + "' does not fit into 64 bits");
  }

 private:
  /// Rounded down, as the remainder has the sign of the divisor.
  [[nodiscard]] Value divided(std::int64_t left, std::int64_t right) const {
    if (right == 0) throw evaluator_.error(binary_.right->origin, "puppet.division-by-zero", "division by zero");
    if (right == -1) {
      if (binary_.operation == Op::modulo) return Value::integer(0);
      if (left == std::numeric_limits<std::int64_t>::min()) overflow();
      return Value::integer(-left);
    }
    const std::int64_t rest = left % right;
    const bool uneven = rest != 0 && (rest < 0) != (right < 0);
    if (binary_.operation == Op::modulo) return Value::integer(uneven ? rest + right : rest);
    return Value::integer(left / right - (uneven ? 1 : 0));
  }

  [[nodiscard]] Value shifted(std::int64_t left, std::int64_t by) const {
    constexpr std::int64_t kBits = 63;
    if (by <= 0) return Value::integer(by <= -kBits ? (left < 0 ? -1 : 0) : left >> -by);
    if (left == 0) return Value::integer(0);
    if (by > kBits) overflow();
    const auto out = static_cast<std::int64_t>(static_cast<std::uint64_t>(left) << static_cast<std::uint64_t>(by));
    if (out >> by != left || out == 0) overflow();
    return Value::integer(out);
  }

  const Binary& binary_;
  const Evaluator& evaluator_;
};

bool is_shift(Op operation) noexcept { return operation == Op::shift_left || operation == Op::shift_right; }

/// An operand as a number.
Value number_operand(const Binary& binary, const Value& value, const Expression& operand, Evaluator& evaluator) {
  if (value.kind() == Kind::integer || value.kind() == Kind::floating) return value;
  const Value out = to_number(value);
  if (!out && value.is_text())
    throw evaluator
        .error(operand.origin, "puppet.operand",
               "the text " + shown(value) + " is not a number, as '" + std::string(sign_of(binary.operation)) +
                   "' requires")
        .hint(binary.operation == Op::add ? "texts are joined by \"${a}${b}\"" : "");
  if (!out)
    throw evaluator.error(operand.origin, "puppet.operand",
                          "'" + std::string(sign_of(binary.operation)) + "' cannot be applied to " + a_kind_of(value));
  if (out.is_null()) throw evaluator.error(operand.origin, "puppet.overflow", "the number does not fit into 64 bits");
  evaluator.warn(operand.origin, "puppet.coercion", "the text " + shown(value) + " is used as a number",
                 "convert it: Numeric(…), Integer(…)");
  return out;
}

Value calculate(const Binary& binary, const Value& left, const Value& right, Evaluator& evaluator) {
  const Arithmetic arithmetic(binary, evaluator);
  const Value a = number_operand(binary, left, *binary.left, evaluator);
  const Value b = number_operand(binary, right, *binary.right, evaluator);
  Value out;
  if (a.kind() == Kind::integer && b.kind() == Kind::integer) {
    out = arithmetic.of(a.as_integer(), b.as_integer());
  } else if (is_shift(binary.operation) && a.kind() == Kind::integer) {
    // Ruby drops the fraction of what it shifts by.
    constexpr double kMost = 1e6;
    const double by = b.as_floating();
    if (std::isnan(by)) throw arithmetic.fail("puppet.operand", "a number can only be shifted by a number");
    out = arithmetic.of(a.as_integer(), static_cast<std::int64_t>(std::max(-kMost, std::min(kMost, by))));
  } else {
    const auto floating = [](const Value& value) {
      return value.kind() == Kind::integer ? static_cast<double>(value.as_integer()) : value.as_floating();
    };
    out = arithmetic.of(floating(a), floating(b));
  }
  return out.with_secret(left.is_secret() || right.is_secret());
}

Value arithmetic_of(const Binary& binary, const Value& left, const Value& right, Evaluator& evaluator) {
  if (left.kind() == Kind::integer && right.kind() == Kind::integer && !left.is_secret() && !right.is_secret())
    return Arithmetic(binary, evaluator).of(left.as_integer(), right.as_integer());
  const bool collection = left.is_sequence() || left.is_mapping();
  if (collection &&
      (binary.operation == Op::add || binary.operation == Op::subtract || binary.operation == Op::shift_left))
    return collection_operation(binary, left, right, evaluator);
  return calculate(binary, left, right, evaluator);
}

/// `==` of types: each takes all that the other does.
bool are_equal_types(const Type& left, const Type& right) {
  return same_type(left, right) || (is_assignable(left, right) && is_assignable(right, left));
}

bool equal_operands(const Value& left, const Value& right, Evaluator& evaluator) {
  const TypeObject* type = as_type(left);
  const TypeObject* other = type == nullptr ? nullptr : as_type(right);
  if (other == nullptr) return equals(left, right, evaluator);
  evaluator.charge_types(*type->type(), *other->type());
  return are_equal_types(*type->type(), *other->type());
}

/// `<` and the like of types: the narrower one is below the wider. Nothing else has an order beside a type.
bool compared_types(const Binary& binary, const Type& left, const Value& right, Evaluator& evaluator) {
  const TypeObject* other = as_type(right);
  if (other == nullptr) return false;
  const Type& type = *other->type();
  evaluator.charge_types(left, type);
  switch (binary.operation) {
    case Op::less:
      return is_assignable(type, left) && !are_equal_types(left, type);
    case Op::less_equal:
      return is_assignable(type, left);
    case Op::greater:
      return is_assignable(left, type) && !are_equal_types(left, type);
    default:
      return is_assignable(left, type);
  }
}

bool ordered(const Binary& binary, const Value& left, const Value& right, Evaluator& evaluator) {
  if (const TypeObject* type = as_type(left)) return compared_types(binary, *type->type(), right, evaluator);
  if (left.is_text()) evaluator.charge_value(left);
  const std::optional<int> order = compare(left, right);
  if (!order)
    throw evaluator
        .error(binary.sign, "puppet.comparison",
               "cannot compare " + a_kind_of(left) + " with " + a_kind_of(right) + " by '" +
                   std::string(sign_of(binary.operation)) + "'")
        .hint(left.is_text() || right.is_text() ? "convert one of them: Numeric(…), String(…)"
                                                : "only numbers, and texts, have an order");
  switch (binary.operation) {
    case Op::less:
      return *order < 0;
    case Op::less_equal:
      return *order <= 0;
    case Op::greater:
      return *order > 0;
    default:
      return *order >= 0;
  }
}

bool matched(const Binary& binary, const Value& left, const Value& right, Scope& scope, Evaluator& evaluator) {
  if (const TypeObject* type = as_type(right)) return evaluator.is_member(*type->type(), left);
  const PatternObject* pattern = as_pattern(right);
  if (pattern == nullptr && !right.is_text())
    throw evaluator.error(binary.right->origin, "puppet.match",
                          "the right side of " + std::string(sign_of(binary.operation)) +
                              " must be a regular expression, a text or a type, not " + a_kind_of(right));
  if (!left.is_text())
    throw evaluator.error(
        binary.left->origin, "puppet.match",
        "the left side of " + std::string(sign_of(binary.operation)) + " must be a text, not " + a_kind_of(left));
  try {
    return search(pattern != nullptr ? pattern->regex() : evaluator.compiled(right.text()), left, scope, evaluator);
  } catch (Error& error) {
    hide_pattern(error, std::span(&right, 1));
    throw std::move(error).at(evaluator.context().sources, binary.right->origin);
  }
}

}  // namespace

Value Evaluator::unary(const Unary& unary, Scope& scope) {
  const Value value = visit(*unary.operand, scope);
  if (!value) return {};
  switch (unary.operation) {
    case UnaryOperator::not_:
      return Value::boolean(!is_true(value)).with_origin(unary.origin);
    case UnaryOperator::splat:
      return splat(value, *this);
    default:
      break;
  }
  const Value number = to_number(value);
  if (!number)
    throw error(unary.operand->origin, "puppet.operand",
                "'-' cannot be applied to " + (value.is_text() ? "the text " + shown(value) : a_kind_of(value)));
  if (value.is_text())
    warn(unary.operand->origin, "puppet.coercion", "the text " + shown(value) + " is used as a number",
         "convert it: Numeric(…), Integer(…)");
  if (number.kind() == Kind::floating)
    return Value::floating(-number.as_floating()).with_origin(unary.origin).with_secret(value.is_secret());
  if (number.is_null() || number.as_integer() == std::numeric_limits<std::int64_t>::min())
    throw error(unary.origin, "puppet.overflow", "the result of '-' does not fit into 64 bits");
  return Value::integer(-number.as_integer()).with_origin(unary.origin).with_secret(value.is_secret());
}

Value Evaluator::binary(const Binary& binary, Scope& scope) {
  const Value left = visit(*binary.left, scope);
  return left ? apply(binary, left, scope) : left;
}

Value Evaluator::apply(const Binary& binary, const Value& left, Scope& scope) {
  if (binary.operation == Op::and_ || binary.operation == Op::or_) {
    if (is_true(left) == (binary.operation == Op::or_)) return Value::boolean(is_true(left)).with_origin(binary.origin);
    const Value right = visit(*binary.right, scope);
    return right ? Value::boolean(is_true(right)).with_origin(binary.origin) : right;
  }
  const Value right = visit(*binary.right, scope);
  if (!right) return {};
  switch (binary.operation) {
    case Op::equal:
    case Op::not_equal:
      charge_value(left);
      return Value::boolean(equal_operands(left, right, *this) == (binary.operation == Op::equal))
          .with_origin(binary.origin);
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
      return Value::boolean(ordered(binary, left, right, *this)).with_origin(binary.origin);
    case Op::match:
    case Op::not_match:
      return Value::boolean(matched(binary, left, right, scope, *this) == (binary.operation == Op::match))
          .with_origin(binary.origin);
    case Op::in:
      return Value::boolean(contains(right, left, scope, *this)).with_origin(binary.origin);
    default:
      return arithmetic_of(binary, left, right, *this).with_origin(binary.origin);
  }
}

}  // namespace strata::puppet
