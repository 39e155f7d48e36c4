// SPDX-License-Identifier: Apache-2.0
#include "heat/constraints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "heat/numbers.hpp"
#include "heat/parameter_value.hpp"
#include "python/data.hpp"
#include "strata/builder.hpp"
#include "strata/report.hpp"
#include "text/regex/regex.hpp"
#include "text/unicode/characters.hpp"

namespace strata::heat {
namespace {

using Why = std::optional<std::string>;

class Check {
 public:
  Check(const Constraint& constraint, const ParameterSchema& schema, const Value& value, Arena& arena)
      : constraint_(constraint), schema_(schema), value_(value), arena_(arena) {}

  [[nodiscard]] Why run() const {
    switch (constraint_.kind) {
      case Constraint::Kind::range:
        return range();
      case Constraint::Kind::length:
        return length();
      case Constraint::Kind::modulo:
        return modulo();
      case Constraint::Kind::allowed_values:
        return allowed_values();
      case Constraint::Kind::allowed_pattern:
        return allowed_pattern();
      case Constraint::Kind::custom:
        break;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] std::string shown() const {
    return schema_.hidden ? std::string(report::kMask) : in_message(shown_plain(value_));
  }
  [[nodiscard]] std::string shown_json() const {
    return schema_.hidden ? std::string(report::kMask) : in_message(python::json(value_));
  }
  static std::string bound(const Value& bound) { return bound ? in_message(python::str(bound)) : "None"; }
  /// The template's own words, if it has some.
  [[nodiscard]] Why broken(const std::string& reason) const {
    return constraint_.message.empty() ? reason : constraint_.message;
  }

  [[nodiscard]] bool is_outside(const Value& number) const {
    return (constraint_.low && is_less(number, constraint_.low)) ||
           (constraint_.high && is_less(constraint_.high, number));
  }

  [[nodiscard]] Why range() const {
    const Parsed number = parse_number(value_, schema_.hidden, arena_);
    if (!number.problem.empty()) return number.problem;
    if (!is_outside(number.value)) return std::nullopt;
    return broken(
        fmt::format("{} is out of range (min: {}, max: {})", shown(), bound(constraint_.low), bound(constraint_.high)));
  }

  [[nodiscard]] Why length() const {
    if (!value_.is_text() && !value_.is_container()) return fmt::format("{} has no length", describe(value_.kind()));
    const std::size_t length = value_.is_text() ? text::unicode::length(value_.text()) : value_.size();
    if (!is_outside(Value::integer(static_cast<std::int64_t>(length)))) return std::nullopt;
    const std::string shown = schema_.hidden ? std::string(report::kMask) : std::to_string(length);
    return broken(fmt::format("length ({}) is out of range (min: {}, max: {})", shown, bound(constraint_.low),
                              bound(constraint_.high)));
  }

  [[nodiscard]] Why modulo() const {
    const Parsed number = parse_number(value_, schema_.hidden, arena_);
    if (!number.problem.empty()) return number.problem;
    if (python::equal(remainder(number.value, constraint_.low), constraint_.high)) return std::nullopt;
    return broken(fmt::format("{} is not a multiple of {} with an offset of {}", shown(), bound(constraint_.low),
                              bound(constraint_.high)));
  }

  [[nodiscard]] Why allowed_values() const {
    if (value_.is_sequence()) return holds_all_items() ? std::nullopt : not_allowed();
    const auto invalid = [&](const std::string& shown) {
      return fmt::format(R"(value "{}" is invalid for data type "{}")", shown, schema_.type_name);
    };
    std::vector<Value> allowed;
    for (const Value& one : constraint_.values.items()) {
      const auto value = comparable(one);
      if (!value) return invalid(in_message(shown_plain(one)));
      allowed.push_back(*value);
    }
    const auto given = comparable(value_);
    if (!given) return invalid(shown());
    const bool is_allowed = std::ranges::any_of(allowed, [&](const Value& one) { return python::equal(one, *given); });
    return is_allowed ? std::nullopt : not_allowed();
  }

  [[nodiscard]] Why not_allowed() const {
    return broken(
        fmt::format("{} is not an allowed value {}", shown_json(), in_message(python::json(constraint_.values))));
  }

  /// A value in the parameter's type; none where it cannot be.
  [[nodiscard]] std::optional<Value> comparable(const Value& value) const {
    switch (schema_.type) {
      case ParameterType::string:
        return arena_.text(shown_plain(value));
      case ParameterType::number: {
        const Parsed number = parse_number(value, schema_.hidden, arena_);
        return number.problem.empty() ? std::optional(number.value) : std::nullopt;
      }
      case ParameterType::boolean: {
        const Parsed boolean = parse_boolean(value, schema_.hidden);
        return boolean.problem.empty() ? std::optional(boolean.value) : std::nullopt;
      }
      default:
        return value;
    }
  }

  /// Whether every item is one of the allowed values. Hashed: both may be long.
  [[nodiscard]] bool holds_all_items() const {
    MappingBuilder scalars = MappingBuilder::set(arena_, KeyEquality::python);
    MappingBuilder containers = MappingBuilder::set(arena_);
    const auto set_for = [&](const Value& value) -> MappingBuilder& {
      return value.is_container() ? containers : scalars;
    };
    for (const Value& allowed : constraint_.values.items()) set_for(allowed).insert(arena_.key(allowed), Value::null());
    return std::ranges::all_of(value_.items(), [&](const Value& item) { return set_for(item).find(item) != nullptr; });
  }

  [[nodiscard]] Why allowed_pattern() const {
    if (!value_.is_text()) return fmt::format("a pattern needs text, not {}", describe(value_.kind()));
    // The first way in which it matches counts, as the reference has it: `a|ab` does not match `ab`.
    const auto match = text::Regex(constraint_.pattern, text::Regex::Syntax::python).find(value_.text());
    if (match && match->groups[0] == text::Regex::Span{.begin = 0, .end = value_.text().size()}) return std::nullopt;
    return broken(fmt::format(R"("{}" does not match pattern "{}")", shown(), in_message(constraint_.pattern)));
  }

  const Constraint& constraint_;
  const ParameterSchema& schema_;
  const Value& value_;
  Arena& arena_;
};

}  // namespace

std::string_view to_string(Constraint::Kind kind) noexcept {
  switch (kind) {
    case Constraint::Kind::allowed_values:
      return "AllowedValues";
    case Constraint::Kind::allowed_pattern:
      return "AllowedPattern";
    case Constraint::Kind::length:
      return "Length";
    case Constraint::Kind::range:
      return "Range";
    case Constraint::Kind::modulo:
      return "Modulo";
    case Constraint::Kind::custom:
      break;
  }
  return "CustomConstraint";
}

bool fits(Constraint::Kind kind, ParameterType type) noexcept {
  switch (kind) {
    case Constraint::Kind::range:
    case Constraint::Kind::modulo:
      return type == ParameterType::number;
    case Constraint::Kind::length:
      return type != ParameterType::number && type != ParameterType::boolean;
    case Constraint::Kind::allowed_pattern:
      return type == ParameterType::string;
    case Constraint::Kind::allowed_values:
    case Constraint::Kind::custom:
      break;
  }
  return type != ParameterType::json;
}

std::optional<std::string> why_broken(const Constraint& constraint, const ParameterSchema& schema, const Value& value,
                                      Arena& arena) {
  return Check(constraint, schema, value, arena).run();
}

}  // namespace strata::heat
