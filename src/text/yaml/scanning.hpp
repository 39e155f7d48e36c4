// SPDX-License-Identifier: Apache-2.0
// What both sources of the scanner use: classes of characters, and where plain scalars end.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "text/decimal.hpp"
#include "text/yaml/characters.hpp"
#include "text/yaml/scanner.hpp"

namespace strata::text {
namespace scanning {

// Classes of characters, as bits.
inline constexpr std::uint8_t kBlank = 1;    // Blank and tab.
inline constexpr std::uint8_t kLineEnd = 2;  // A line feed, or the zero byte behind the text.
inline constexpr std::uint8_t kWord = 4;     // Of anchors.
inline constexpr std::uint8_t kTagOnly = 8;  // Of tags beside those, without `!` and `%`.
inline constexpr std::uint8_t kFlowIndicator = 16;
inline constexpr std::uint8_t kNotPlain = 32;  // No plain scalar begins with it.
inline constexpr std::uint8_t kPlainIfJoined =
    64;  // `-`, `?` and `:` begin one before a character that is not a blank.

inline constexpr std::array<std::uint8_t, 256> kClasses = [] {
  std::array<std::uint8_t, 256> classes{};
  const auto mark = [&classes](std::string_view characters, std::uint8_t bits) {
    for (const char c : characters) classes.at(static_cast<unsigned char>(c)) |= bits;
  };
  mark(" \t", kBlank | kNotPlain);
  mark("\n", kLineEnd | kNotPlain);
  classes.at(0) = kLineEnd | kNotPlain;
  mark("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", kWord);
  mark(";/?:@&=+$.~*'()", kTagOnly);
  mark(",[]{}", kFlowIndicator | kNotPlain);
  mark("#&*!|>'\"%@`", kNotPlain);
  mark("-?:", kPlainIfJoined);
  return classes;
}();

inline bool is(char c, unsigned classes) { return (kClasses[static_cast<unsigned char>(c)] & classes) != 0; }

inline bool is_blank(char c) { return is(c, kBlank); }

/// A blank, a line break, or the zero byte behind the text.
inline bool is_blank_or_end(char c) { return is(c, kBlank | kLineEnd); }

/// The end of the text in [begin, end), whose last characters may be blanks.
inline const char* without_blanks(const char* begin, const char* end) {
  while (end != begin && is_blank(end[-1])) --end;
  return end;
}

}  // namespace scanning

/// Where a plain scalar ends in its line: at the line's end, at `: `, at ` #`, in flow at an indicator. Null: a `:`
/// that is not allowed.
template <bool in_flow>
const char* YamlScanner::plain_end(const char* from) const {
  for (const char* at = from;; ++at) {
    if constexpr (in_flow) {
      at = yaml_characters::find_first<'\n', ':', '#', ',', '[', ']', '{', '}'>(at, end_);
    } else {
      at = yaml_characters::find_first<'\n', ':', '#'>(at, end_);
    }
    if (at == end_) return at;
    if (*at == ':') {
      if (in_flow && (at[1] == '?' || scanning::is(at[1], scanning::kFlowIndicator))) return nullptr;
      if (scanning::is_blank_or_end(at[1])) return at;
    } else if (*at != '#' || scanning::is_blank(at[-1])) {
      return at;
    }
  }
}

}  // namespace strata::text
