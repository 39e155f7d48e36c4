// SPDX-License-Identifier: Apache-2.0
#include "ruby/text.hpp"

#include <algorithm>

#include "ruby/unicode.hpp"
#include "text/decimal.hpp"
#include "text/unicode/characters.hpp"

namespace strata::ruby {
namespace {

constexpr std::string_view kBlanks{" \t\n\v\f\r\0", 7};

/// Each character by itself through `change`.
template <class Change>
std::string each_character(std::string_view text, const Change& change) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t size = first_character(text);
    out += change(text.substr(0, size));
    text.remove_prefix(size);
  }
  return out;
}

std::string_view without_blanks(std::string_view text) noexcept {
  constexpr std::string_view kSpaces = " \t\n\v\f\r";
  const std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1);
}

/// Without `_`, each of which must stand between two digits; none where one does not.
std::optional<std::string> without_underscores(std::string_view text) {
  const auto is_part = [](char c) { return text::is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      out += text[i];
    } else if (i == 0 || i + 1 == text.size() || !is_part(text[i - 1]) || !is_part(text[i + 1])) {
      return std::nullopt;
    }
  }
  return out;
}

std::size_t skip_digits(std::string_view text, std::size_t at) noexcept {
  while (at < text.size() && text::is_digit(text[at])) ++at;
  return at;
}

/// Digits with a fraction and an exponent; a point needs digits behind it.
bool is_decimal(std::string_view text) noexcept {
  std::size_t at = skip_digits(text, 0);
  const bool whole = at > 0;
  bool fraction = false;
  if (at < text.size() && text[at] == '.') {
    const std::size_t end = skip_digits(text, at + 1);
    if (end == at + 1) return false;
    fraction = true;
    at = end;
  }
  if (!whole && !fraction) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    const std::size_t end = skip_digits(text, at);
    if (end == at) return false;
    at = end;
  }
  return at == text.size();
}

bool is_hexadecimal(std::string_view text) noexcept {
  return text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') &&
         text.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string_view::npos;
}

/// The radix that a prefix tells, which is cut off.
int take_radix(std::string& digits) {
  if (digits.size() < 2 || digits[0] != '0') return 10;
  const char letter = static_cast<char>(digits[1] | 0x20);
  const int radix = letter == 'x' ? 16 : letter == 'b' ? 2 : letter == 'd' ? 10 : 8;
  digits.erase(0, letter == 'x' || letter == 'b' || letter == 'd' || letter == 'o' ? 2 : 1);
  return radix;
}

constexpr text::unicode::Version kUnicode = text::unicode::Version::v13;

}  // namespace

std::size_t first_character(std::string_view text) noexcept {
  std::size_t size = 1;
  while (size < text.size() && size < 4 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) ++size;
  return size;
}

std::string upcase(std::string_view text) { return text::unicode::upper(text, kUnicode); }

std::string downcase(std::string_view text) {
  if (is_ascii(text)) return text::unicode::lower(text, kUnicode);
  // Each alone: a final sigma is like any other.
  return each_character(text, [](std::string_view one) { return text::unicode::lower(one, kUnicode); });
}

std::string capitalize(std::string_view text) {
  if (text.empty()) return {};
  const std::size_t size = first_character(text);
  // Of Georgian letters Ruby takes the small one.
  const std::string_view first = text.substr(0, size);
  std::size_t at = 0;
  const char32_t point = text::unicode::decode(first, at);
  const bool is_georgian = point >= 0x1C90 && point <= 0x1CBF;
  return (is_georgian ? downcase(first) : text::unicode::title(first, kUnicode)) + downcase(text.substr(size));
}

std::string_view lstrip(std::string_view text) noexcept {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

std::string_view rstrip(std::string_view text) noexcept { return text.substr(0, text.find_last_not_of(kBlanks) + 1); }

std::string_view chomp(std::string_view text) noexcept {
  if (text.ends_with("\r\n")) return text.substr(0, text.size() - 2);
  return text.ends_with('\n') || text.ends_with('\r') ? text.substr(0, text.size() - 1) : text;
}

std::string_view chop(std::string_view text) noexcept {
  if (text.empty()) return text;
  if (text.ends_with("\r\n")) return text.substr(0, text.size() - 2);
  std::size_t at = text.size() - 1;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) --at;
  return text.substr(0, at);
}

std::optional<double> parse_float(std::string_view text) {
  const std::optional<std::string> plain = without_underscores(without_blanks(text));
  if (!plain) return std::nullopt;
  const std::size_t sign = !plain->empty() && (plain->front() == '-' || plain->front() == '+') ? 1 : 0;
  const std::string_view number = std::string_view(*plain).substr(sign);
  if (!is_decimal(number) && !is_hexadecimal(number)) return std::nullopt;
  const double sign_of = plain->front() == '-' ? -1.0 : 1.0;
  return sign_of * (is_hexadecimal(number) ? *text::parse_hexadecimal(number.substr(2)) : *text::parse_decimal(number));
}

std::optional<WholeNumber> parse_integer(std::string_view text) {
  std::optional<std::string> plain = without_underscores(without_blanks(text));
  if (!plain) return std::nullopt;
  WholeNumber out;
  if (!plain->empty() && (plain->front() == '-' || plain->front() == '+')) {
    out.negative = plain->front() == '-';
    plain->erase(0, 1);
  }
  out.radix = take_radix(*plain);
  const std::string_view all = "0123456789abcdef";
  const auto fits = [&](char c) {
    const std::size_t value = all.find(c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c);
    return value < static_cast<std::size_t>(out.radix);
  };
  if (plain->empty() || !std::all_of(plain->begin(), plain->end(), fits)) return std::nullopt;
  out.digits = std::move(*plain);
  return out;
}

}  // namespace strata::ruby
