// Characters of names.
#pragma once

#include <cstddef>
#include <string_view>

#include "puppet/characters.hpp"

namespace strata::puppet {

[[nodiscard]] constexpr bool is_upper(char c) noexcept { return c >= 'A' && c <= 'Z'; }
[[nodiscard]] constexpr bool is_lower_or_underscore(char c) noexcept { return (c >= 'a' && c <= 'z') || c == '_'; }
/// Of a name behind its first character.
[[nodiscard]] constexpr bool is_word_character(char c) noexcept { return is_lower_or_underscore(c) || is_upper(c) || is_digit(c); }
[[nodiscard]] constexpr bool is_hex_digit(char c) noexcept { return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'f'); }
/// A blank of ASCII or an end of a line.
[[nodiscard]] constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
/// Bytes of the blank beyond ASCII that the text begins with; 0 where it begins with none.
[[nodiscard]] std::size_t wide_blank(std::string_view text) noexcept;

/// Whether a text is a name as variables have them: `a::_b`, `1`. A leading `::` is allowed.
[[nodiscard]] bool is_variable_name(std::string_view name) noexcept;
/// Whether it is a plain variable name, which can be assigned to: `a`, `_b`.
[[nodiscard]] bool is_local_name(std::string_view name) noexcept;

}  // namespace strata::puppet
