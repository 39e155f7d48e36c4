// SPDX-License-Identifier: Apache-2.0
// Functions on numbers. Rule: Puppet 7.
#include <algorithm>
#include <array>
#include <cmath>

#include "puppet/characters.hpp"
#include "puppet/functions/arguments.hpp"
#include "puppet/types/integer.hpp"
#include "ruby/text.hpp"

namespace strata::puppet {
namespace {

constexpr std::string_view kNumberOrText = "a Numeric or a String";

bool all_digits(std::string_view text) noexcept {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return is_digit(c); });
}

/// Decimal digits without a sign, as an Integer without one.
Value magnitude(Evaluator& evaluator, std::string_view digits) {
  evaluator.charge_text(digits.size());
  const std::size_t first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
  return evaluator.arena().integer(digits.substr(first));
}

Value abs(const FunctionCall& call, Evaluator& evaluator) {
  const Value& value = call.arguments[0];
  if (value.kind() == Kind::floating) return Value::floating(std::fabs(value.as_floating()));
  if (is_whole(value)) {
    const std::string digits = Integer(value).to_string();
    return digits.starts_with('-') ? magnitude(evaluator, std::string_view(digits).substr(1)) : value;
  }
  if (!is_string(value)) throw wrong_argument(call, evaluator, 0, kNumberOrText);
  std::string_view text = value.text();
  if (text.starts_with('-')) text.remove_prefix(1);
  if (all_digits(text)) return magnitude(evaluator, text);
  const std::size_t point = text.find('.');
  const bool decimal =
      point != std::string_view::npos && all_digits(text.substr(0, point)) && all_digits(text.substr(point + 1));
  if (!decimal) throw wrong_argument(call, evaluator, 0, "a Numeric, or the digits of one");
  return Value::floating(ruby::parse_float(text).value_or(0));
}

Value rounded(const FunctionCall& call, Evaluator& evaluator, double (*round)(double)) {
  const Value& value = call.arguments[0];
  if (is_whole(value)) return value;
  if (value.kind() == Kind::floating) return whole_number(call, evaluator, round(value.as_floating()));
  if (!is_string(value)) throw wrong_argument(call, evaluator, 0, kNumberOrText);
  const std::optional<double> number = ruby::parse_float(value.text());
  if (!number) throw wrong_argument(call, evaluator, 0, "a Numeric, or a String that is one");
  return whole_number(call, evaluator, round(*number));
}

Value ceiling(const FunctionCall& call, Evaluator& evaluator) { return rounded(call, evaluator, std::ceil); }
Value floor(const FunctionCall& call, Evaluator& evaluator) { return rounded(call, evaluator, std::floor); }

/// Halves go away from 0. Large integers go through a float, as in Puppet.
Value round(const FunctionCall& call, Evaluator& evaluator) {
  const Value& value = call.arguments[0];
  if (!is_number(value)) throw wrong_argument(call, evaluator, 0, "a Numeric");
  const double number =
      value.kind() == Kind::floating ? value.as_floating() : ruby::parse_float(Integer(value).to_string()).value_or(0);
  return whole_number(call, evaluator, number > 0 ? number + 0.5 : number - 0.5);
}

constexpr std::array<BuiltinEntry, 4> kNumberFunctions = {{
    {"abs", abs, 1, 1, BlockRule::none},
    {"ceiling", ceiling, 1, 1, BlockRule::none},
    {"floor", floor, 1, 1, BlockRule::none},
    {"round", round, 1, 1, BlockRule::none},
}};

}  // namespace

std::span<const BuiltinEntry> number_functions() noexcept { return kNumberFunctions; }

}  // namespace strata::puppet
