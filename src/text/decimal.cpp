// SPDX-License-Identifier: Apache-2.0
#include "text/decimal.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>

namespace strata::text {
namespace {

/// Whether digits that no double holds are too many, not too small. `number` has no sign.
bool is_huge(std::string_view number) noexcept {
  const std::size_t mark = std::min(number.find_first_of("eE"), number.size());
  std::string_view power = number.substr(std::min(mark + 1, number.size()));
  if (power.starts_with('+')) power.remove_prefix(1);
  std::int64_t exponent = 0;
  const auto [end, status] = std::from_chars(power.data(), power.data() + power.size(), exponent);
  if (status == std::errc::result_out_of_range) return !power.starts_with('-');
  const std::string_view digits = number.substr(0, mark);
  const auto point = static_cast<std::int64_t>(std::min(digits.find('.'), digits.size()));
  const auto first = static_cast<std::int64_t>(std::min(digits.find_first_of("123456789"), digits.size()));
  return exponent > first - point;
}

std::optional<double> parse(std::string_view number, std::chars_format format) noexcept {
  double out = 0;
  const auto [end, status] = std::from_chars(number.data(), number.data() + number.size(), out, format);
  if (end != number.data() + number.size()) return std::nullopt;
  if (status == std::errc::result_out_of_range) {
    return format == std::chars_format::hex || is_huge(number) ? std::numeric_limits<double>::infinity() : 0.0;
  }
  return status == std::errc{} ? std::optional(out) : std::nullopt;
}

}  // namespace

std::optional<double> parse_decimal(std::string_view text) noexcept {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  // What is behind the sign is no second sign and no word such as `inf`.
  if (text.empty() || (text.front() != '.' && (text.front() < '0' || text.front() > '9'))) return std::nullopt;
  const std::optional<double> number = parse(text, std::chars_format::general);
  return number && negative ? std::optional(-*number) : number;
}

std::optional<double> parse_hexadecimal(std::string_view digits) noexcept {
  if (digits.empty() || digits.find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos)
    return std::nullopt;
  return parse(digits, std::chars_format::hex);
}

}  // namespace strata::text
