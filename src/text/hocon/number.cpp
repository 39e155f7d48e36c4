// SPDX-License-Identifier: Apache-2.0
#include "text/hocon/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "text/decimal.hpp"

namespace strata::text {
namespace {

std::size_t skip_digits(std::string_view text, std::size_t from) noexcept {
  while (from < text.size() && is_digit(text[from])) ++from;
  return from;
}

/// Decimal digits of an octal number of any size. Cost: quadratic, hence the bound on its length.
std::string decimal_of_octal(std::string_view octal) {
  std::string digits = "0";  // The last one first.
  for (const char c : octal) {
    int carry = c - '0';
    for (char& digit : digits) {
      const int amount = (digit - '0') * 8 + carry;
      digit = static_cast<char>('0' + amount % 10);
      carry = amount / 10;
    }
    if (carry != 0) digits += static_cast<char>('0' + carry);
  }
  std::ranges::reverse(digits);
  return digits;
}

}  // namespace

HoconNumber classify_hocon_number(std::string_view written) noexcept {
  if (written.starts_with('-')) written.remove_prefix(1);
  const std::size_t whole = skip_digits(written, 0);
  if (whole == written.size()) {
    if (whole == 0) return HoconNumber::none;
    if (written.size() == 1 || written.front() != '0') return HoconNumber::decimal;
    constexpr std::size_t kLongestOctal = 4000;
    return written.size() <= kLongestOctal && written.find_first_of("89") == std::string_view::npos ? HoconNumber::octal
                                                                                                    : HoconNumber::none;
  }
  std::size_t at = whole;
  if (written[at] == '.') {
    const std::size_t behind = skip_digits(written, at + 1);
    if (behind == at + 1) return HoconNumber::none;
    at = behind;
  } else if (whole == 0) {
    return HoconNumber::none;
  }
  if (at < written.size() && (written[at] == 'e' || written[at] == 'E')) {
    ++at;
    if (at < written.size() && (written[at] == '+' || written[at] == '-')) ++at;
    const std::size_t behind = skip_digits(written, at);
    if (behind == at) return HoconNumber::none;
    at = behind;
  }
  return at == written.size() ? HoconNumber::floating : HoconNumber::none;
}

std::optional<Value> read_hocon_number(std::string_view written, Arena& arena) {
  const HoconNumber kind = classify_hocon_number(written);
  if (kind == HoconNumber::decimal) return arena.integer(written);
  if (kind == HoconNumber::octal) {
    const bool negative = written.starts_with('-');
    return arena.integer((negative ? "-" : "") + decimal_of_octal(written.substr(negative ? 2 : 1)));
  }
  const double amount = *parse_decimal(written);
  if (std::isinf(amount)) return std::nullopt;
  if (amount == std::trunc(amount)) return arena.integer(fmt::format("{:.0f}", amount == 0 ? 0.0 : amount));
  return Value::floating(amount);
}

}  // namespace strata::text
