// SPDX-License-Identifier: Apache-2.0
// Character classes of Ruby 3.1 (Unicode 13).
#pragma once

#include <cstddef>
#include <string_view>

namespace strata::ruby {

struct Character {
  char32_t point = 0;
  std::size_t length = 0;  ///< In bytes. 0 if the bytes are not UTF-8.
};

/// The character that begins at byte `at`, which must exist.
[[nodiscard]] Character character_at(std::string_view text, std::size_t at) noexcept;

[[nodiscard]] bool is_ascii(std::string_view text) noexcept;
/// Whether `inspect` shows it unescaped, except quotes and backslashes. Cost: logarithmic in a small table.
[[nodiscard]] bool is_printable(char32_t point) noexcept;
/// `[[:word:]]` of a regular expression.
[[nodiscard]] bool is_word(char32_t point) noexcept;

}  // namespace strata::ruby
