// SPDX-License-Identifier: Apache-2.0
// Methods of Ruby's String.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace strata::ruby {

// Letters of all scripts, without context: a final sigma is not special.
[[nodiscard]] std::string upcase(std::string_view text);
[[nodiscard]] std::string downcase(std::string_view text);
/// The first character in title case, the others in lower case.
[[nodiscard]] std::string capitalize(std::string_view text);

/// Without ASCII blanks and null characters at the ends.
[[nodiscard]] std::string_view lstrip(std::string_view text) noexcept;
[[nodiscard]] std::string_view rstrip(std::string_view text) noexcept;
/// Without one trailing line break.
[[nodiscard]] std::string_view chomp(std::string_view text) noexcept;
/// Without the last character. CR LF is one character.
[[nodiscard]] std::string_view chop(std::string_view text) noexcept;

/// The size of the first character in bytes: at least 1.
[[nodiscard]] std::size_t first_character(std::string_view text) noexcept;

/// The result of `Float(text)`: allows blanks around it, `_` between digits, `0x1f`. No value if Ruby raises.
[[nodiscard]] std::optional<double> parse_float(std::string_view text);

/// The input of `Integer(text)`.
struct WholeNumber {
  bool negative = false;
  int radix = 10;      ///< 2, 8, 10 or 16.
  std::string digits;  ///< At least one, in that radix.
};
/// No value if Ruby raises. `0b`, `0o`, `0d`, `0x` and a leading 0 give the radix.
[[nodiscard]] std::optional<WholeNumber> parse_integer(std::string_view text);

}  // namespace strata::ruby
