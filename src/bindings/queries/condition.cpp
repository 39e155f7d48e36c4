// SPDX-License-Identifier: Apache-2.0
// Conditions: what is written, with operands evaluated, and whether a resource meets it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "puppet/characters.hpp"
#include "puppet/evaluation/operations.hpp"
#include "puppet/evaluation/pattern_object.hpp"
#include "puppet/types/pattern.hpp"
#include "service.hpp"
#include "value/fields.hpp"

namespace strata::bindings::queries {
namespace {

bool is_match(Condition::Comparison comparison) {
  return comparison == Condition::Comparison::match || comparison == Condition::Comparison::not_match;
}

std::shared_ptr<const text::Regex> operand_pattern(const Value& operand, Origin origin, const Sources& sources) {
  if (const puppet::PatternObject* pattern = puppet::as_pattern(operand))
    return {pattern->shared_from_this(), &pattern->regex()};
  if (!operand.is_text()) {
    throw Error("query.pattern", wrong_kind("a field", "matched with a regular expression or a text", operand))
        .at(sources, origin);
  }
  try {
    return puppet::compile_pattern(operand.text());
  } catch (const Error& error) {
    throw Error("query.pattern", error.what()).at(sources, origin);
  }
}

/// What the field of a resource is; absent: undef. Not for tags.
Value field_value(const Resource& resource, const Field& field) {
  switch (field.kind) {
    case Field::Kind::title:
      return *resource.printed.find("title");
    case Field::Kind::type:
      return *resource.printed.find("type");
    case Field::Kind::certname:
      return *resource.printed.find("certname");
    case Field::Kind::exported:
      return Value::boolean(resource.exported);
    case Field::Kind::tag:
      return resource.tags;
    case Field::Kind::file:
      return resource.file;
    case Field::Kind::line:
      return resource.line;
    case Field::Kind::parameter: {
      const Value* found = resource.parameters.find(field.name);
      return found == nullptr ? Value() : *found;
    }
  }
  return {};
}

bool is_undef(const Value& value) { return !value || value.is_null(); }

bool has_tag(const Resource& resource, const Condition& condition, puppet::Evaluator& evaluator) {
  const auto fits = [&](const Value& tag) {
    return condition.pattern ? evaluator.find(*condition.pattern, tag.text()).has_value()
                             : puppet::equals(tag, condition.operand, evaluator);
  };
  return std::ranges::any_of(resource.tags.items(), fits);
}

/// Whether the field fits the operand: `==` or `=~`.
bool fits(const Resource& resource, const Condition& condition, puppet::Evaluator& evaluator) {
  if (condition.field.kind == Field::Kind::tag) return has_tag(resource, condition, evaluator);
  const Value value = field_value(resource, condition.field);
  if (condition.pattern) {
    if (value.is_text()) return evaluator.find(*condition.pattern, value.text()).has_value();
    return evaluator.find(*condition.pattern, is_undef(value) ? std::string() : puppet::text_of(value, evaluator))
        .has_value();
  }
  if (is_undef(value) || is_undef(condition.operand)) return is_undef(value) == is_undef(condition.operand);
  return puppet::equals(value, condition.operand, evaluator);
}

bool in_order(const Resource& resource, const Condition& condition) {
  const Value value = field_value(resource, condition.field);
  if (is_undef(value) || is_undef(condition.operand)) return false;
  const std::optional<int> order = puppet::compare(value, condition.operand);
  if (!order) return false;
  switch (condition.comparison) {
    case Condition::Comparison::less:
      return *order < 0;
    case Condition::Comparison::less_equal:
      return *order <= 0;
    case Condition::Comparison::greater:
      return *order > 0;
    default:
      return *order >= 0;
  }
}

}  // namespace

Field field_of(std::string_view written) {
  static constexpr std::array<std::pair<std::string_view, Field::Kind>, 8> kFields{{{"title", Field::Kind::title},
                                                                                    {"name", Field::Kind::title},
                                                                                    {"type", Field::Kind::type},
                                                                                    {"certname", Field::Kind::certname},
                                                                                    {"exported", Field::Kind::exported},
                                                                                    {"tag", Field::Kind::tag},
                                                                                    {"file", Field::Kind::file},
                                                                                    {"line", Field::Kind::line}}};
  constexpr std::string_view kParameter = "parameter.";
  if (written.starts_with(kParameter))
    return {.kind = Field::Kind::parameter, .name = std::string(written.substr(kParameter.size()))};
  for (const auto& [name, kind] : kFields) {
    if (name == written) return {.kind = kind, .name = std::string(written)};
  }
  return {.kind = Field::Kind::parameter, .name = std::string(written)};
}

// Recursion: bounded by the parser, which bounds the nesting of conditions.
Condition evaluate(const puppet::Condition& condition, puppet::Scope& scope, puppet::Evaluator& evaluator) {
  evaluator.charge(1);
  Condition out;
  out.kind = condition.kind;
  out.origin = condition.origin;
  if (condition.kind != Condition::Kind::compare) {
    out.parts.reserve(condition.parts.size());
    for (const puppet::Condition* part : condition.parts) out.parts.push_back(evaluate(*part, scope, evaluator));
    return out;
  }
  out.field = field_of(condition.field);
  out.comparison = condition.comparison;
  out.operand = evaluator.evaluate(*condition.operand, scope);
  if (is_match(out.comparison))
    out.pattern = operand_pattern(out.operand, condition.operand->origin, evaluator.context().sources);
  return out;
}

bool matches(const Resource& resource, const Condition& condition, puppet::Evaluator& evaluator) {
  const auto meets = [&](const Condition& part) { return matches(resource, part, evaluator); };
  switch (condition.kind) {
    case Condition::Kind::and_:
      return std::ranges::all_of(condition.parts, meets);
    case Condition::Kind::or_:
      return std::ranges::any_of(condition.parts, meets);
    case Condition::Kind::not_:
      return !meets(condition.parts.front());
    case Condition::Kind::compare:
      break;
  }
  switch (condition.comparison) {
    case Condition::Comparison::equal:
    case Condition::Comparison::match:
      return fits(resource, condition, evaluator);
    case Condition::Comparison::not_equal:
    case Condition::Comparison::not_match:
      return !fits(resource, condition, evaluator);
    default:
      return in_order(resource, condition);
  }
}

}  // namespace strata::bindings::queries
