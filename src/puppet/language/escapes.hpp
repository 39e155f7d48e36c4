// SPDX-License-Identifier: Apache-2.0
// The escapes that a text supports, as bits.
#pragma once

#include <cstdint>

namespace strata::puppet {

inline constexpr std::uint16_t kEscapesLineEnd = 1U << 0U;  ///< A backslash before a line break removes both.
inline constexpr std::uint16_t kEscapesBackslash = 1U << 1U;
inline constexpr std::uint16_t kEscapesQuotes = 1U << 2U;

/// The bit of the letter after a backslash. 0 if there is none.
[[nodiscard]] constexpr std::uint16_t escape_bit(char c) noexcept {
  switch (c) {
    case 'L':
      return 0;  // A flag for heredocs only: see kEscapesLineEnd.
    case '\\':
      return kEscapesBackslash;
    case '\'':
    case '"':
      return kEscapesQuotes;
    case 't':
      return 1U << 3U;
    case 'r':
      return 1U << 4U;
    case 'n':
      return 1U << 5U;
    case 's':
      return 1U << 6U;
    case 'u':
      return 1U << 7U;
    case '$':
      return 1U << 8U;
    default:
      return 0;
  }
}

/// All escapes that a heredoc can have.
inline constexpr std::uint16_t kHeredocEscapes = 0x1FBU;
/// The escapes of a text in double quotes.
inline constexpr std::uint16_t kQuotedEscapes = 0x1FFU;

}  // namespace strata::puppet
