// Characters of names.
#pragma once

#include <cstddef>
#include <string_view>

#include "puppet/characters.hpp"

namespace strata::puppet {

/// A blank of ASCII or an end of a line.
[[nodiscard]] constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
/// Bytes of the blank beyond ASCII that the text begins with; 0 where it begins with none.
[[nodiscard]] std::size_t wide_blank(std::string_view text) noexcept;

/// Whether a text is a name that variables may be given, in any name space: `a`, `a::_b`.
[[nodiscard]] bool is_qualified_name(std::string_view name) noexcept;
/// Whether a text is a name as variables have them: such a one, with or without a leading `::`, or the number of a group: `1`.
[[nodiscard]] bool is_variable_name(std::string_view name) noexcept;
/// Whether it is a plain variable name, which can be assigned to: `a`, `_b`.
[[nodiscard]] bool is_local_name(std::string_view name) noexcept;

}  // namespace strata::puppet
