// SPDX-License-Identifier: Apache-2.0
#include "heat/constraint_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "heat/numbers.hpp"
#include "python/data.hpp"
#include "strata/path.hpp"
#include "strata/scalar_text.hpp"
#include "text/regex/regex.hpp"

namespace strata::heat {
namespace {

/// What stands under a key, absent where there is nothing or null.
Value find(const Value& mapping, std::string_view key) {
  const Value* found = mapping.find(key);
  return found == nullptr || found->is_null() ? Value() : *found;
}

/// The words that a template gives for a value that breaks a constraint.
std::string message_of(const Value& description) {
  if (!description) return {};
  return description.is_text() ? std::string(description.text()) : scalar_text(description);
}

bool is_zero(const Value& number) { return python::equal(number, Value::integer(0)); }
bool is_negative(const Value& number) { return is_less(number, Value::integer(0)); }

/// Whether one number is larger than the other, the signs aside.
bool is_at_least(const Value& left, const Value& right) {
  const auto size = [](const Value& number) {
    return std::abs(number.kind() == Kind::floating ? number.as_floating() : static_cast<double>(number.as_integer()));
  };
  return size(left) >= size(right);
}

}  // namespace

void ConstraintReader::fail(Origin origin, std::string_view message) const {
  throw Error("heat.template-parameters",
              fmt::format("the parameter '{}' has a bad constraint: {}", parameter_, message))
      .at(sources_, origin);
}

void ConstraintReader::check_keys(const Value& mapping, std::initializer_list<std::string_view> keys,
                                  std::string_view what) const {
  if (!mapping.is_mapping())
    fail(mapping.origin(), fmt::format("{} is a mapping, not {}", what, describe(mapping.kind())));
  for (const Entry& entry : mapping.entries()) {
    if (entry.key.is_text() && std::ranges::find(keys, entry.key.text()) != keys.end()) continue;
    fail(entry.key.origin(), fmt::format("{} has an unknown key '{}'", what, key_text(entry.key)));
  }
}

Value ConstraintReader::number(const Value& holder, std::string_view key) const {
  const Value given = find(holder, key);
  if (!given || is_number(given)) return given;
  const auto value = given.is_text() ? number_of(arena_, given.text()) : std::nullopt;
  if (!value) fail(given.origin(), fmt::format("'{}' is not a number", key));
  return value->with_origin(given.origin());
}

Constraint ConstraintReader::bounds(Constraint::Kind kind, const Value& holder, std::string_view low,
                                    std::string_view high) const {
  Constraint constraint{.kind = kind,
                        .low = number(holder, low),
                        .high = number(holder, high),
                        .values = {},
                        .pattern = {},
                        .message = {}};
  if (!constraint.low && !constraint.high)
    fail(holder.origin(), fmt::format("neither '{}' nor '{}' is given", low, high));
  for (const Value& bound : {constraint.low, constraint.high}) {
    if (kind == Constraint::Kind::length && bound.kind() == Kind::floating)
      fail(bound.origin(), "a length is a whole number");
  }
  return constraint;
}

Constraint ConstraintReader::modulo(const Value& holder) const {
  Constraint constraint{.kind = Constraint::Kind::modulo,
                        .low = number(holder, "step"),
                        .high = number(holder, "offset"),
                        .values = {},
                        .pattern = {},
                        .message = {}};
  if (!constraint.low || !constraint.high) fail(holder.origin(), "a modulo needs a 'step' and an 'offset'");
  for (Value* part : {&constraint.low, &constraint.high}) {
    if (part->kind() == Kind::boolean) *part = Value::integer(part->as_boolean() ? 1 : 0).with_origin(part->origin());
    const bool is_whole = part->kind() == Kind::integer ||
                          (part->kind() == Kind::floating && std::trunc(part->as_floating()) == part->as_floating() &&
                           std::isfinite(part->as_floating()));
    if (!is_whole) fail(part->origin(), "step and offset are whole numbers");
  }
  if (is_zero(constraint.low)) fail(constraint.low.origin(), "the step cannot be 0");
  if (is_at_least(constraint.high, constraint.low))
    fail(constraint.high.origin(), "the offset is not smaller than the step");
  if (!is_zero(constraint.high) && is_negative(constraint.high) != is_negative(constraint.low)) {
    fail(constraint.high.origin(), "step and offset must be both positive or both negative");
  }
  return constraint;
}

Constraint ConstraintReader::allowed_values(const Value& values) const {
  if (!values.is_sequence()) fail(values.origin(), "the allowed values are a list");
  return {
      .kind = Constraint::Kind::allowed_values, .low = {}, .high = {}, .values = values, .pattern = {}, .message = {}};
}

Constraint ConstraintReader::allowed_pattern(const Value& pattern) const {
  if (!pattern.is_text()) fail(pattern.origin(), "a pattern is text");
  try {
    const text::Regex compiled(pattern.text(), text::Regex::Syntax::python);
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    fail(pattern.origin(), fmt::format("the pattern cannot be used: {}", error.what()));
  }
  return {.kind = Constraint::Kind::allowed_pattern,
          .low = {},
          .high = {},
          .values = {},
          .pattern = std::string(pattern.text()),
          .message = {}};
}

Constraint ConstraintReader::read_one(const Value& constraint, bool has_modulo) const {
  check_keys(constraint,
             {"description", "length", "range", "modulo", "allowed_values", "allowed_pattern", "custom_constraint"},
             "a constraint");
  if (const Value* definition = constraint.find("modulo"); has_modulo && definition != nullptr) {
    check_keys(*definition, {"step", "offset"}, "a modulo");
    return modulo(*definition);
  }
  if (const Value* definition = constraint.find("range")) {
    check_keys(*definition, {"min", "max"}, "a range");
    return bounds(Constraint::Kind::range, *definition, "min", "max");
  }
  if (const Value* definition = constraint.find("length")) {
    check_keys(*definition, {"min", "max"}, "a length");
    return bounds(Constraint::Kind::length, *definition, "min", "max");
  }
  if (const Value* definition = constraint.find("allowed_values")) return allowed_values(*definition);
  if (const Value* definition = constraint.find("allowed_pattern")) return allowed_pattern(*definition);
  const Value* definition = constraint.find("custom_constraint");
  if (definition == nullptr) fail(constraint.origin(), "it does not define a constraint");
  return {.kind = Constraint::Kind::custom,
          .low = {},
          .high = {},
          .values = {},
          .pattern = scalar_text(*definition),
          .message = {}};
}

std::vector<Constraint> ConstraintReader::read_hot(const Value& list, bool has_modulo) const {
  if (list.is_null()) return {};
  if (!list.is_sequence()) fail(list.origin(), fmt::format("constraints are a list, not {}", describe(list.kind())));
  std::vector<Constraint> constraints;
  constraints.reserve(list.size());
  for (const Value& item : list.items()) {
    constraints.push_back(read_one(item, has_modulo));
    constraints.back().message = message_of(find(item, "description"));
  }
  return constraints;
}

std::vector<Constraint> ConstraintReader::read_cfn(const Value& declaration) const {
  std::vector<Constraint> constraints;
  const auto has = [&](std::string_view key) { return declaration.find(key) != nullptr; };
  if (has("MinValue") || has("MaxValue"))
    constraints.push_back(bounds(Constraint::Kind::range, declaration, "MinValue", "MaxValue"));
  if (has("MinLength") || has("MaxLength"))
    constraints.push_back(bounds(Constraint::Kind::length, declaration, "MinLength", "MaxLength"));
  if (const Value* values = declaration.find("AllowedValues")) constraints.push_back(allowed_values(*values));
  if (const Value* pattern = declaration.find("AllowedPattern")) constraints.push_back(allowed_pattern(*pattern));
  const std::string message = message_of(find(declaration, "ConstraintDescription"));
  for (Constraint& constraint : constraints) constraint.message = message;
  return constraints;
}

}  // namespace strata::heat
