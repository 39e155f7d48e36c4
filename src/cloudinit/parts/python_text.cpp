// SPDX-License-Identifier: Apache-2.0
#include "python_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace strata::cloudinit {
namespace {

unsigned char byte(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

/// Bytes of the white space character at the front; 0 where there is none.
std::size_t blank_at_front(std::string_view text) {
  if (text.empty()) return 0;
  const unsigned char first = byte(text, 0);
  if ((first >= 0x09 && first <= 0x0D) || (first >= 0x1C && first <= 0x20)) return 1;
  if (first == 0xC2 && text.size() >= 2 && (byte(text, 1) == 0x85 || byte(text, 1) == 0xA0)) return 2;
  if (text.size() < 3) return 0;
  const unsigned code =
      static_cast<unsigned>(first) << 16U | static_cast<unsigned>(byte(text, 1)) << 8U | byte(text, 2);
  const bool is_blank = code == 0xE19A80 || (code >= 0xE28080 && code <= 0xE2808A) || code == 0xE280A8 ||
                        code == 0xE280A9 || code == 0xE280AF || code == 0xE2819F || code == 0xE38080;
  return is_blank ? 3 : 0;
}

std::size_t blank_at_back(std::string_view text) {
  for (std::size_t length = 1; length <= std::min<std::size_t>(3, text.size()); ++length) {
    if (blank_at_front(text.substr(text.size() - length)) == length) return length;
  }
  return 0;
}

}  // namespace

std::size_t line_end(std::string_view text) {
  const unsigned char first = byte(text, 0);
  if (first == '\r') return text.size() > 1 && text[1] == '\n' ? 2 : 1;
  if ((first >= 0x0A && first <= 0x0C) || (first >= 0x1C && first <= 0x1E)) return 1;
  if (first == 0xC2 && text.size() >= 2 && byte(text, 1) == 0x85) return 2;
  return first == 0xE2 && text.size() >= 3 && byte(text, 1) == 0x80 && (byte(text, 2) == 0xA8 || byte(text, 2) == 0xA9)
             ? 3
             : 0;
}

std::string_view trim_front(std::string_view text) noexcept {
  while (const std::size_t length = blank_at_front(text)) text.remove_prefix(length);
  return text;
}

std::string_view trim_back(std::string_view text) noexcept {
  while (const std::size_t length = blank_at_back(text)) text.remove_suffix(length);
  return text;
}

std::string_view trim(std::string_view text) noexcept { return trim_back(trim_front(text)); }

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
  return result;
}

bool equal_ignoring_case(std::string_view left, std::string_view right) noexcept {
  const auto fold = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; };
  return std::ranges::equal(left, right, {}, fold, fold);
}

bool holds_ignoring_case(std::string_view text, std::string_view word, std::size_t anchor) noexcept {
  for (std::size_t at = text.find(word[anchor], anchor); at != std::string_view::npos;
       at = text.find(word[anchor], at + 1)) {
    if (equal_ignoring_case(text.substr(at - anchor, word.size()), word)) return true;
  }
  return false;
}

std::optional<std::string> integer_digits(std::string_view text) {
  text = trim(text);
  std::string digits;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    if (text[0] == '-') digits = "-";
    text.remove_prefix(1);
  }
  const std::size_t sign = digits.size();
  bool after_digit = false;
  for (const char c : text) {
    if (c == '_') {
      if (!std::exchange(after_digit, false)) return std::nullopt;
    } else if (c >= '0' && c <= '9') {
      after_digit = true;
      if (c != '0' || digits.size() > sign) digits += c;
    } else {
      return std::nullopt;
    }
  }
  if (!after_digit) return std::nullopt;
  if (digits.size() == sign) return "0";
  return digits;
}

}  // namespace strata::cloudinit
