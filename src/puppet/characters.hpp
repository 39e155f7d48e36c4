// Letters of ASCII, and which numbers are code points.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace strata::puppet {

[[nodiscard]] constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
[[nodiscard]] constexpr char upper(char c) noexcept { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }
[[nodiscard]] std::string lower(std::string_view text);
[[nodiscard]] std::string upper(std::string_view text);
/// The name of a resource type as types are written: `::foo::bar` is `Foo::Bar`; other letters stay.
[[nodiscard]] std::string capitalized_name(std::string_view name);
/// Whether two texts differ in nothing but the case of ASCII letters.
[[nodiscard]] bool same_letters(std::string_view left, std::string_view right) noexcept;
/// Orders texts without regard to the case of ASCII letters.
struct LessByLetters {
  using is_transparent = void;
  [[nodiscard]] bool operator()(std::string_view left, std::string_view right) const noexcept;
};
/// Whether a number names a character: surrogates and what is above U+10FFFF do not.
[[nodiscard]] constexpr bool is_code_point(std::uint32_t code) noexcept { return code <= 0x10FFFF && (code < 0xD800 || code >= 0xE000); }

}  // namespace strata::puppet
