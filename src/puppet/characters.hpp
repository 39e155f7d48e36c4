// SPDX-License-Identifier: Apache-2.0
// ASCII letters, and valid code points.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace strata::puppet {

[[nodiscard]] constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_upper(char c) noexcept { return c >= 'A' && c <= 'Z'; }
[[nodiscard]] constexpr bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || is_upper(c); }
[[nodiscard]] constexpr bool is_lower_or_underscore(char c) noexcept { return (c >= 'a' && c <= 'z') || c == '_'; }
/// In a name after its first character.
[[nodiscard]] constexpr bool is_word_character(char c) noexcept {
  return is_lower_or_underscore(c) || is_upper(c) || is_digit(c);
}
[[nodiscard]] constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
[[nodiscard]] constexpr char upper(char c) noexcept { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }
[[nodiscard]] constexpr bool is_hex_digit(char c) noexcept {
  return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'f');
}
[[nodiscard]] std::string lower(std::string_view text);
[[nodiscard]] std::string upper(std::string_view text);
/// The name of a resource type with capitals: `::foo::bar` is `Foo::Bar`. Other letters are unchanged.
[[nodiscard]] std::string capitalized_name(std::string_view name);
/// Whether two texts are equal if the case of ASCII letters is ignored.
[[nodiscard]] bool same_letters(std::string_view left, std::string_view right) noexcept;
/// Orders texts, ignoring the case of ASCII letters.
struct LessByLetters {
  using is_transparent = void;
  [[nodiscard]] bool operator()(std::string_view left, std::string_view right) const noexcept;
};
/// Whether a number is a code point of a character: not a surrogate and not above U+10FFFF.
[[nodiscard]] constexpr bool is_code_point(std::uint32_t code) noexcept {
  return code <= 0x10FFFF && (code < 0xD800 || code >= 0xE000);
}

}  // namespace strata::puppet
