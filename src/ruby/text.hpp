// What Ruby's String makes of texts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace strata::ruby {

// Letters of all scripts, each alone: a final sigma is like any other.
[[nodiscard]] std::string upcase(std::string_view text);
[[nodiscard]] std::string downcase(std::string_view text);
/// The first character in title case, the others in lower case.
[[nodiscard]] std::string capitalize(std::string_view text);

/// Without blanks of ASCII and null characters at the ends.
[[nodiscard]] std::string_view lstrip(std::string_view text) noexcept;
[[nodiscard]] std::string_view rstrip(std::string_view text) noexcept;
/// Without the one line end at its end.
[[nodiscard]] std::string_view chomp(std::string_view text) noexcept;
/// Without its last character; CR LF is one.
[[nodiscard]] std::string_view chop(std::string_view text) noexcept;

/// Bytes of the character that begins a text: at least 1.
[[nodiscard]] std::size_t first_character(std::string_view text) noexcept;

/// The number that `Float(text)` gives: blanks around it, `_` between digits, `0x1f`; none where Ruby raises.
[[nodiscard]] std::optional<double> parse_float(std::string_view text);

/// What `Integer(text)` reads.
struct WholeNumber {
  bool negative = false;
  int radix = 10;      ///< 2, 8, 10 or 16.
  std::string digits;  ///< At least one, of that radix.
};
/// None where Ruby raises. `0b`, `0o`, `0d`, `0x` and a leading 0 tell the radix.
[[nodiscard]] std::optional<WholeNumber> parse_integer(std::string_view text);

}  // namespace strata::ruby
