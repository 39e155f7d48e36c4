// SPDX-License-Identifier: Apache-2.0
// ASCII: texts without bytes above 0x7F, where each byte is a character and a column, and classes of characters.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace strata::detail {

inline constexpr std::uint64_t kHighBits = 0x8080808080808080ULL;

/// Whether all bytes are ASCII. Looks at eight at a time.
[[nodiscard]] inline bool is_ascii(std::string_view text) noexcept {
  std::uint64_t seen = 0;
  for (std::uint64_t word = 0; text.size() >= sizeof word; text.remove_prefix(sizeof word)) {
    std::memcpy(&word, text.data(), sizeof word);
    seen |= word;
  }
  for (const char c : text) seen |= static_cast<unsigned char>(c);
  return (seen & kHighBits) == 0;
}

[[nodiscard]] constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace strata::detail
