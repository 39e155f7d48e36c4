// SPDX-License-Identifier: Apache-2.0
// What Psych makes of scalars with the tags for floats and bytes.
#include <algorithm>
#include <charconv>

#include "text/decimal.hpp"
#include "text/yaml/plain_scalars.hpp"
#include "text/yaml/psych_scalars.hpp"
#include "text/yaml/scalar_scan.hpp"

namespace strata::text {
namespace {

/// Digits with single underscores between them, which are left out; false where there are none or an underscore is
/// misplaced.
bool ruby_digits(Scan& scan, std::string& plain, bool (*is_one)(char)) {
  while (true) {
    const std::string_view rest = scan.rest();
    const std::size_t n = scan.take_while(is_one);
    if (n == 0) return false;
    plain += rest.substr(0, n);
    if (!scan.rest().starts_with('_')) return true;
    scan.one_of("_");
  }
}

std::optional<double> ruby_hex_float(Scan& scan) {
  std::string plain;
  if (!ruby_digits(scan, plain, is_hex)) return std::nullopt;
  if (scan.one_of(".")) {
    plain += '.';
    if (!ruby_digits(scan, plain, is_hex)) return std::nullopt;
  }
  if (scan.one_of("pP")) {
    plain += 'p';
    if (scan.rest().starts_with('-')) plain += '-';
    scan.one_of("-+");
    if (!ruby_digits(scan, plain, is_digit)) return std::nullopt;
  }
  double number = 0;
  const auto [end, status] = std::from_chars(plain.data(), plain.data() + plain.size(), number, std::chars_format::hex);
  return scan.done() && status == std::errc{} && end == plain.data() + plain.size() ? std::optional(number)
                                                                                    : std::nullopt;
}

/// As Ruby's `Float(text)`.
std::optional<double> ruby_float(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\v\f\r";
  const std::size_t first = std::min(text.find_first_not_of(kBlanks), text.size());
  text = text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
  const double sign = text.starts_with('-') ? -1.0 : 1.0;
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  Scan scan(text);
  std::optional<double> number;
  if (scan.word("0x") || scan.word("0X")) {
    number = ruby_hex_float(scan);
  } else {
    std::string plain;
    const bool has_whole = is_digit(text.empty() ? ' ' : text.front());
    if (has_whole && !ruby_digits(scan, plain, is_digit)) return std::nullopt;
    if (scan.one_of(".")) {
      plain += '.';
      if (!ruby_digits(scan, plain, is_digit)) return std::nullopt;
    } else if (!has_whole) {
      return std::nullopt;
    }
    if (scan.one_of("eE")) {
      plain += 'e';
      if (scan.rest().starts_with('-')) plain += '-';
      scan.one_of("-+");
      if (!ruby_digits(scan, plain, is_digit)) return std::nullopt;
    }
    if (scan.done()) number = parse_decimal(plain);
  }
  return number ? std::optional(sign * *number) : std::nullopt;
}

}  // namespace

std::optional<double> psych_tagged_float(std::string_view text) {
  if (is_psych_integer(text)) {
    Arena arena;
    const auto number = psych_integer(arena, text);
    if (!number) return std::nullopt;
    if (number->kind() == Kind::integer) return static_cast<double>(number->as_integer());
    const bool negative = number->text().starts_with('-');
    const auto amount = parse_decimal(number->text().substr(negative ? 1 : 0));
    return amount ? std::optional(negative ? -*amount : *amount) : std::nullopt;
  }
  return is_psych_float(text) ? psych_float(text) : ruby_float(text);
}

std::optional<std::string> psych_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t quad = 0;
  int count = 0;
  const auto emit = [&](int n) {
    for (int i = 0; i < n; ++i) bytes += static_cast<char>(quad >> (16U - 8U * static_cast<unsigned>(i)) & 0xFFU);
  };
  for (const char c : text) {
    static constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::size_t digit = kAlphabet.find(c);
    if (c == '=' && count >= 2) break;
    if (digit == std::string_view::npos) continue;
    quad = quad << 6U | static_cast<std::uint32_t>(digit);
    if (++count == 4) {
      emit(3);
      count = 0;
      quad = 0;
    }
  }
  if (count >= 2) {
    quad <<= 6U * static_cast<unsigned>(4 - count);
    emit(count - 1);
  }
  return bytes;
}

}  // namespace strata::text
