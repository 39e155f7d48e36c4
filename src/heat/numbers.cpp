// SPDX-License-Identifier: Apache-2.0
#include "heat/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "text/decimal.hpp"
#include "text/unicode/characters.hpp"
#include "text/yaml/plain_scalars.hpp"
#include "value/ascii.hpp"

namespace strata::heat {
namespace {

constexpr std::size_t kMostDigits = 4300;  ///< More are refused by int().

using strata::detail::is_digit;

/// A number as int() and float() look at it: without blanks around it, its digits (of any script) as ASCII ones.
std::string ascii_number(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\v\f\r";
  if (std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80U; })) {
    return std::string(text::unicode::strip(text, true, true, kBlanks));
  }
  std::string out;
  const std::string_view inner = text::unicode::strip(text, true, true);
  for (std::size_t at = 0; at < inner.size();) {
    const std::size_t begin = at;
    const auto digit = text::unicode::decimal_digit(text::unicode::decode(inner, at));
    if (digit) {
      out += static_cast<char>('0' + *digit);
    } else {
      out += inner.substr(begin, at - begin);
    }
  }
  return out;
}

/// Without the underscores, each of which must stand between two digits.
std::optional<std::string> without_underscores(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      plain.push_back(text[i]);
    } else if (i == 0 || i + 1 == text.size() || !is_digit(text[i - 1]) || !is_digit(text[i + 1])) {
      return std::nullopt;
    }
  }
  return plain;
}

std::optional<double> named_float(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (lower == "inf" || lower == "infinity") return std::numeric_limits<double>::infinity();
  if (lower == "nan") return std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

/// Digits with at most one point, then at most one exponent.
bool is_float_form(std::string_view text) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t begin = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at - begin;
  };
  std::size_t count = digits();
  if (at < text.size() && text[at] == '.') {
    ++at;
    count += digits();
  }
  if (count == 0) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (digits() == 0) return false;
  }
  return at == text.size();
}

long double amount(const Value& number) {
  switch (number.kind()) {
    case Kind::boolean:
      return number.as_boolean() ? 1 : 0;
    case Kind::integer:
      return static_cast<long double>(number.as_integer());
    case Kind::floating:
      return number.as_floating();
    default:
      break;
  }
  // Big integers: close enough beside small numbers; two of them are compared by their digits.
  return std::strtold(std::string(number.text()).c_str(), nullptr);
}

bool is_less_big(std::string_view left, std::string_view right) {
  const bool left_negative = left.starts_with('-');
  if (left_negative != right.starts_with('-')) return left_negative;
  if (left.size() != right.size()) return (left.size() < right.size()) != left_negative;
  return left_negative ? right < left : left < right;
}

/// The remainder of a whole number of any size, between 0 and the divisor.
std::int64_t remainder_of_digits(std::string_view digits, std::uint64_t divisor, bool divisor_negative) {
  const bool negative = digits.starts_with('-');
  if (negative) digits.remove_prefix(1);
  unsigned __int128 rest = 0;
  for (const char digit : digits) rest = (rest * 10 + static_cast<unsigned>(digit - '0')) % divisor;
  if (rest != 0 && negative != divisor_negative) rest = divisor - rest;
  const auto size = static_cast<std::int64_t>(rest);
  return divisor_negative ? -size : size;
}

}  // namespace

std::optional<Value> number_of(Arena& arena, std::string_view written) {
  const std::string ascii = ascii_number(written);
  std::string_view text = ascii;
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (const auto named = named_float(text)) return Value::floating(negative ? -*named : *named);
  const auto plain = without_underscores(text);
  if (!plain || plain->empty()) return std::nullopt;
  if (std::ranges::all_of(*plain, is_digit) && plain->size() <= kMostDigits)
    return arena.integer((negative ? "-" : "") + *plain);
  if (!is_float_form(*plain)) return std::nullopt;
  const auto number = text::parse_decimal(*plain);
  if (!number) return std::nullopt;
  return Value::floating(negative ? -*number : *number);
}

bool is_number(const Value& value) noexcept {
  return value.kind() == Kind::boolean || value.kind() == Kind::integer || value.kind() == Kind::big_integer ||
         value.kind() == Kind::floating;
}

bool is_less(const Value& left, const Value& right) {
  if (left.kind() == Kind::big_integer && right.kind() == Kind::big_integer)
    return is_less_big(left.text(), right.text());
  return amount(left) < amount(right);
}

Value remainder(const Value& number, const Value& divisor) {
  if (number.kind() != Kind::floating && divisor.kind() == Kind::integer) {
    const std::int64_t by = divisor.as_integer();
    const std::uint64_t size = by < 0 ? -static_cast<std::uint64_t>(by) : static_cast<std::uint64_t>(by);
    const std::string digits = number.kind() == Kind::big_integer ? std::string(number.text())
                               : number.kind() == Kind::boolean   ? std::string(number.as_boolean() ? "1" : "0")
                                                                  : std::to_string(number.as_integer());
    return Value::integer(remainder_of_digits(digits, size, by < 0));
  }
  const auto by = static_cast<double>(amount(divisor));
  double rest = std::fmod(static_cast<double>(amount(number)), by);
  if (rest != 0 && (rest < 0) != (by < 0)) rest += by;
  return Value::floating(rest);
}

}  // namespace strata::heat
