// SPDX-License-Identifier: Apache-2.0
#include "puppet/evaluation/bound_lambda.hpp"

#include <algorithm>
#include <array>

#include "puppet/evaluation/operations.hpp"
#include "puppet/types/make.hpp"

namespace strata::puppet {
namespace {

constexpr std::size_t kAny = static_cast<std::size_t>(-1);

/// The type that an expression gives.
TypeRef declared_type(const Expression& expression, const Value& value, const Evaluator& evaluator) {
  const TypeObject* type = as_type(value);
  if (type == nullptr)
    throw evaluator.error(expression.origin, "puppet.type", "a type is needed here, not " + a_kind_of(value));
  return type->type()->kind() == TypeKind::any ? nullptr : type->type();
}

}  // namespace

Arity arity(const Lambda& lambda) noexcept {
  Arity out{0, lambda.parameters.size()};
  for (const LambdaParameter& parameter : lambda.parameters) {
    if (parameter.takes_rest) {
      out.most = kAny;
    } else if (parameter.default_value == nullptr) {
      ++out.least;
    }
  }
  return out;
}

BoundLambda::BoundLambda(const Lambda& lambda, Scope& outer, Evaluator& evaluator)
    : lambda_(lambda), outer_(outer), evaluator_(evaluator) {
  const std::span<const LambdaParameter> all = lambda.parameters;
  if (std::any_of(all.begin(), all.end(), [](const LambdaParameter& parameter) { return parameter.type != nullptr; })) {
    types_.resize(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].type != nullptr)
        types_[i] = declared_type(*all[i].type, evaluator.evaluate(*all[i].type, outer), evaluator);
    }
  }
  if (lambda.return_type != nullptr)
    return_type_ = declared_type(*lambda.return_type, evaluator.evaluate(*lambda.return_type, outer), evaluator);
  const auto is_reserved = [](const LambdaParameter& parameter) { return is_reserved_variable(parameter.name); };
  reserved_ = static_cast<std::size_t>(std::ranges::find_if(all, is_reserved) - all.begin());
  has_defaults_ = std::any_of(all.begin(), all.end(),
                              [](const LambdaParameter& parameter) { return parameter.default_value != nullptr; });
}

bool BoundLambda::takes(std::size_t arguments) const noexcept {
  const Arity needed = arity(lambda_);
  return arguments >= needed.least && arguments <= needed.most;
}

Value BoundLambda::operator()(const Value& first, const Value& second) {
  const std::array<Value, 2> both = {first, second};
  return (*this)(both);
}

Value BoundLambda::operator()(std::span<const Value> arguments) {
  evaluator_.charge(1);
  Scope frame(&outer_);
  if (!bind(arguments, frame)) return {};
  Value result = evaluator_.visit(*lambda_.body, frame);
  if (!result) {
    result = evaluator_.take(Jump::next);
    if (!result) return {};
  }
  if (return_type_ != nullptr) {
    if (!evaluator_.is_member(*return_type_, result))
      throw evaluator_.error(lambda_.return_type->origin, "puppet.type-mismatch",
                             mismatch(*return_type_, result, "the value of the lambda"));
  }
  return result;
}

bool BoundLambda::bind(std::span<const Value> arguments, Scope& frame) {
  const std::span<const LambdaParameter> parameters = lambda_.parameters;
  if (reserved_ != parameters.size())
    throw evaluator_.reserved_variable(parameters[reserved_].name, parameters[reserved_].origin);
  // A default must not see parameters behind its own, nor variables of their names.
  if (has_defaults_) {
    for (const LambdaParameter& parameter : parameters) frame.assign(parameter.name, Value(), parameter.origin);
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const LambdaParameter& parameter = parameters[i];
    Value value;
    const bool undef_alone = parameter.takes_rest && arguments.size() == i + 1 && arguments[i].is_null() &&
                             parameter.default_value != nullptr;
    if (i < arguments.size() && !undef_alone) {
      value = parameter.takes_rest
                  ? evaluator_.arena().sequence(arguments.subspan(i)).with_origin(arguments[i].origin())
                  : arguments[i];
    } else if (parameter.default_value != nullptr) {
      value = evaluator_.visit(*parameter.default_value, frame);
      if (!value) return false;
      if (parameter.takes_rest && !value.is_sequence())
        value = evaluator_.arena().sequence(std::span(&value, 1)).with_origin(value.origin());
    } else if (parameter.takes_rest) {
      value = evaluator_.arena().sequence().with_origin(parameter.origin);
    } else {
      throw evaluator_.error(parameter.origin, "puppet.arguments",
                             "the lambda gets no value for its parameter $" + std::string(parameter.name));
    }
    if (!types_.empty()) check(i, value);
    if (has_defaults_) {
      frame.set(i, value);
    } else {
      frame.assign(parameter.name, value, parameter.origin);
    }
  }
  return true;
}

void BoundLambda::check(std::size_t parameter, const Value& argument) const {
  const TypeRef& type = types_[parameter];
  if (type == nullptr) return;
  const LambdaParameter& of = lambda_.parameters[parameter];
  // The type of the rest is that of each item, save for arrays, which tell how many there may be, too.
  const TypeRef all = of.takes_rest && type->kind() != TypeKind::array ? array_type(type) : type;
  if (evaluator_.is_member(*all, argument)) return;
  throw evaluator_.error(of.origin, "puppet.arguments", mismatch(*all, argument, "parameter $" + std::string(of.name)));
}

}  // namespace strata::puppet
