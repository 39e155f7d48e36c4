// SPDX-License-Identifier: Apache-2.0
// Functions on types: new, convert_to, type, assert_type, unwrap. Rule: Puppet 7.
#include <algorithm>
#include <array>
#include <vector>

#include "puppet/functions/arguments.hpp"
#include "puppet/types/make.hpp"
#include "strata/builder.hpp"

namespace strata::puppet {
namespace {

/// A regular expression of a text; a second argument `true` takes the text as it stands.
Value new_pattern(const FunctionCall& call, Evaluator& evaluator, std::span<const Value> arguments) {
  const Value& from = arguments[0];
  const bool escape = arguments.size() > 1 && arguments[1].kind() == Kind::boolean && arguments[1].as_boolean();
  if (as_pattern(from) != nullptr) return from;
  if (!is_string(from) || arguments.size() > 2 || (arguments.size() == 2 && arguments[1].kind() != Kind::boolean))
    throw failed(call, evaluator, "puppet.convert", "Regexp.new takes a String, and whether to escape it");
  if (!escape)
    return make_pattern(evaluator.arena(), from.text()).with_origin(call.origin).with_secret(from.is_secret());
  std::string text;
  for (const char c : from.text()) {
    if (std::string_view("[]{}()|-*.\\?+^$#").find(c) != std::string_view::npos) text += '\\';
    text += c;
  }
  return make_pattern(evaluator.arena(), text).with_origin(call.origin).with_secret(from.is_secret());
}

/// Iterators are converted to texts and containers as the arrays that they give.
Value without_iterator(const FunctionCall& call, Evaluator& evaluator, const Type& type, const Value& value) {
  const bool takes_arrays = type.kind() == TypeKind::string || type.kind() == TypeKind::array ||
                            type.kind() == TypeKind::tuple || type.kind() == TypeKind::hash ||
                            type.kind() == TypeKind::structure;
  if (as_iterator(value) == nullptr || !takes_arrays) return value;
  Items items = Items::of(value, evaluator).value();
  SequenceBuilder out(evaluator.arena());
  for (Value item; items.next(item);) out.append(item);
  return out.finish().with_origin(call.origin);
}

Value made(const FunctionCall& call, Evaluator& evaluator, const Type& type, std::vector<Value> arguments) {
  for (const Value& argument : arguments) evaluator.charge_value(argument);
  if (!arguments.empty()) {
    if (type.kind() == TypeKind::regexp && !type.as<RegexpType>().pattern)
      return new_pattern(call, evaluator, arguments);
    const PatternObject* pattern = as_pattern(arguments[0]);
    if (pattern != nullptr && type.kind() == TypeKind::string && arguments.size() == 1)
      return new_text(call, evaluator, pattern->pattern(), arguments[0].is_secret());
    arguments[0] = without_iterator(call, evaluator, type, arguments[0]);
  }
  Value out;
  try {
    out = convert(type, arguments, evaluator.arena(), evaluator.context().limits);
  } catch (const Error& error) {
    // Messages quote the argument that says how to convert.
    const bool is_told_by_secret =
        arguments.size() > 1 && std::any_of(arguments.begin() + 1, arguments.end(), shows_secret);
    if (error.gives_up() || !is_told_by_secret) throw;
    throw failed(call, evaluator, error.code(),
                 "the value cannot be converted; how to do that comes from a secret and is not shown");
  }
  if (out.is_container()) evaluator.charge(out.size());
  return out;
}

Value through_lambda(const FunctionCall& call, Evaluator& evaluator, const Value& value) {
  return call.lambda == nullptr ? value : BoundLambda(call, evaluator)(value);
}

Value new_value(const FunctionCall& call, Evaluator& evaluator) {
  const TypeRef type = type_argument(call, evaluator, 0);
  // The lambda sees converted values only.
  if (call.arguments.size() == 2 && evaluator.is_member(*type, call.arguments[1])) return call.arguments[1];
  return through_lambda(call, evaluator,
                        made(call, evaluator, *type, {call.arguments.begin() + 1, call.arguments.end()}));
}

Value convert_to(const FunctionCall& call, Evaluator& evaluator) {
  const TypeRef type = type_argument(call, evaluator, 1);
  if (call.lambda != nullptr) lambda_takes(call, evaluator, {1});
  std::vector<Value> arguments(call.arguments.begin() + 1, call.arguments.end());
  arguments.front() = call.arguments[0];
  return through_lambda(call, evaluator, made(call, evaluator, *type, std::move(arguments)));
}

Value type_of(const FunctionCall& call, Evaluator& evaluator) {
  const std::string_view how = call.arguments.size() > 1 ? text_argument(call, evaluator, 1) : "detailed";
  const Value& value = call.arguments[0];
  evaluator.charge_inferring(value);
  TypeRef type;
  if (how == "detailed") {
    type = infer_detailed(value);
  } else if (how == "reduced" || how == "generalized") {
    type = infer(value);
    if (how == "generalized") type = generalize(type);
  } else {
    throw wrong_argument(call, evaluator, 1, "'detailed', 'reduced' or 'generalized'");
  }
  return make_type_value(evaluator.arena(), std::move(type));
}

Value assert_type(const FunctionCall& call, Evaluator& evaluator) {
  TypeRef type;
  if (is_string(call.arguments[0])) {
    type = parse_type(call.arguments[0].text(), evaluator.context().limits);
  } else if (const TypeObject* object = as_type(call.arguments[0])) {
    type = object->type();
  } else {
    throw wrong_argument(call, evaluator, 0, "a Type, or the String of one");
  }
  if (call.lambda != nullptr) lambda_takes(call, evaluator, {2});
  const Value& value = call.arguments[1];
  if (evaluator.is_member(*type, value)) return value;
  const bool secret = shows_secret(call.arguments[0]);
  if (call.lambda == nullptr) {
    throw evaluator.error(call.origin, "puppet.type-mismatch",
                          secret ? "the asserted value is not of the type, which comes from a secret"
                                 : mismatch(*type, value, "the asserted value"));
  }
  Arena& arena = evaluator.arena();
  return BoundLambda(call, evaluator)(make_type_value(arena, type).with_secret(secret),
                                      make_type_value(arena, infer_detailed(value)));
}

Value unwrap(const FunctionCall& call, Evaluator& evaluator) {
  const Sensitive* sensitive = as_sensitive(call.arguments[0]);
  return through_lambda(call, evaluator,
                        sensitive == nullptr ? call.arguments[0] : sensitive->value().with_origin(call.origin));
}

constexpr std::array<BuiltinEntry, 5> kConversionFunctions = {{
    {"assert_type", assert_type, 2, 2, BlockRule::optional},
    {"convert_to", convert_to, 2, BuiltinEntry::kMany, BlockRule::optional},
    {"new", new_value, 1, BuiltinEntry::kMany, BlockRule::optional},
    {"type", type_of, 1, 2, BlockRule::none},
    {"unwrap", unwrap, 1, 1, BlockRule::optional},
}};

}  // namespace

std::span<const BuiltinEntry> conversion_functions() noexcept { return kConversionFunctions; }

}  // namespace strata::puppet
