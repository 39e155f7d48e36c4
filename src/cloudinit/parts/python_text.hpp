// SPDX-License-Identifier: Apache-2.0
// Text by the rules of the reference's language: white space, line ends, integers.
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace strata::cloudinit {

/// Without leading white space (of Unicode). Bytes that are not UTF-8 count as letters.
[[nodiscard]] std::string_view trim_front(std::string_view text) noexcept;
[[nodiscard]] std::string_view trim_back(std::string_view text) noexcept;
[[nodiscard]] std::string_view trim(std::string_view text) noexcept;

/// The size of the line break at the start of a text; 0 if there is none. Line breaks are CR, LF, CR LF, and the
/// Unicode and control characters that end lines in Python.
[[nodiscard]] std::size_t line_end(std::string_view text);

/// Calls `take` with each line of a text, without its break.
template <std::invocable<std::string_view> Take>
void for_each_line(std::string_view text, const Take& take) {
  std::size_t start = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = line_end(text.substr(at));
    if (end == 0) {
      ++at;
      continue;
    }
    take(text.substr(start, at - start));
    at += end;
    start = at;
  }
  if (start < text.size()) take(text.substr(start));
}

/// ASCII letters in lower case, everything else as it is.
[[nodiscard]] std::string lower(std::string_view text);
[[nodiscard]] bool equal_ignoring_case(std::string_view left, std::string_view right) noexcept;

/// Whether `text` contains `word`, ignoring the case of ASCII letters. `anchor`: the index in `word` of a non-letter,
/// which is searched first.
[[nodiscard]] bool holds_ignoring_case(std::string_view text, std::string_view word, std::size_t anchor) noexcept;

/// The value of a hexadecimal digit; -1 for another character.
[[nodiscard]] constexpr int hex_digit(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// The decimal digits (with `-` if negative, without leading zeros) of the result of Python's `int()`. No value if
/// Python rejects the text. White space around it, a sign, and single underscores between digits are allowed. Only
/// ASCII digits are known.
[[nodiscard]] std::optional<std::string> integer_digits(std::string_view text);

}  // namespace strata::cloudinit
