// SPDX-License-Identifier: Apache-2.0
// Texts that are taken for numbers.
#include <charconv>
#include <cmath>

#include "puppet/characters.hpp"
#include "puppet/evaluation/operations.hpp"
#include "text/decimal.hpp"
#include "text/unicode/characters.hpp"

namespace strata::puppet {
namespace {

bool is_blank_at(std::string_view text, std::size_t at) noexcept {
  std::size_t end = at;
  const char32_t point = text::unicode::decode(text, end);
  return point == U'\t' || (text::unicode::is_space(point) && !text::unicode::is_line_break(point));
}

void skip_blanks(std::string_view& text) noexcept {
  while (!text.empty() && is_blank_at(text, 0)) {
    std::size_t end = 0;
    text::unicode::decode(text, end);
    text.remove_prefix(end);
  }
}

std::size_t digits(std::string_view text) noexcept {
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  return count;
}

bool is_hex(char c) noexcept { return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'f'); }

/// A whole number with its sign; null where it does not fit.
Value parse_whole(std::string_view text, int base, bool minus) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 63U;
  std::uint64_t amount = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), amount, base);
  if (problem == std::errc() && end != text.data() + text.size()) return {};
  if (problem != std::errc() || amount > kMost || (amount == kMost && !minus)) return Value::null();
  return Value::integer(minus ? static_cast<std::int64_t>(0 - amount) : static_cast<std::int64_t>(amount));
}

/// What is behind the digits of a float: `.5`, `e-3`; its length, or 0.
std::size_t fraction(std::string_view text) noexcept {
  std::size_t size = 0;
  if (!text.empty() && text.front() == '.' && digits(text.substr(1)) > 0) size = 1 + digits(text.substr(1));
  const std::string_view rest = text.substr(size);
  if (rest.size() < 2 || lower(rest.front()) != 'e') return size;
  const std::size_t sign = rest[1] == '-' ? 1 : 0;
  const std::size_t count = digits(rest.substr(1 + sign));
  return count == 0 ? size : size + 1 + sign + count;
}

bool is_octal(std::string_view text) noexcept {
  return text.size() < 2 || text.front() != '0' || text.find_first_not_of("01234567") == std::string_view::npos;
}

Value floating(std::string_view text, std::string_view before, std::string_view behind, bool minus) {
  if (!is_octal(before)) return {};  // As Ruby, which reads the digits before the point as a whole number, too.
  const bool zero = before.find_first_not_of('0') == std::string_view::npos;
  const std::size_t exponent = behind.find_first_of("eE");
  if (zero && exponent != std::string_view::npos &&
      behind.substr(0, exponent).find_first_not_of(".0") == std::string_view::npos)
    return {};
  const double number = *text::parse_decimal(text);
  if (std::isinf(number)) return {};
  return Value::floating(minus ? -number : number);
}

}  // namespace

Value number_of(std::string_view text) {
  if (text.starts_with("::")) text.remove_prefix(2);
  skip_blanks(text);
  bool minus = false;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    minus = text.front() == '-';
    text.remove_prefix(1);
  }
  skip_blanks(text);
  std::size_t size = 0;
  if (text.size() > 2 && text[0] == '0' && lower(text[1]) == 'x' && is_hex(text[2])) {
    for (size = 2; size < text.size() && is_hex(text[size]);) ++size;
  }
  const bool hex = size > 0;
  const std::size_t before = hex ? size : digits(text);
  if (before == 0) return {};
  if (!hex) size = before + fraction(text.substr(before));
  std::string_view rest = text.substr(size);
  skip_blanks(rest);
  if (!rest.empty()) return {};
  if (hex) return parse_whole(text.substr(2, size - 2), 16, minus);
  if (size > before)
    return floating(text.substr(0, size), text.substr(0, before), text.substr(before, size - before), minus);
  const bool octal = before > 1 && text.front() == '0';
  if (octal && !is_octal(text.substr(0, before))) return {};
  return parse_whole(text.substr(0, before), octal ? 8 : 10, minus);
}

Value to_number(const Value& value) {
  switch (value.kind()) {
    case Kind::integer:
    case Kind::floating:
      return value;
    case Kind::big_integer:
      return Value::null();
    case Kind::text: {
      const Value number = number_of(value.text());
      return number ? number.with_origin(value.origin()).with_secret(value.is_secret()) : number;
    }
    default:
      return {};
  }
}

}  // namespace strata::puppet
