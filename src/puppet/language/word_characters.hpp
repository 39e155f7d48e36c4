// SPDX-License-Identifier: Apache-2.0
// Characters of names.
#pragma once

#include <cstddef>
#include <string_view>

#include "puppet/characters.hpp"

namespace strata::puppet {

/// An ASCII blank or a line break.
[[nodiscard]] constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
/// The size of a leading non-ASCII blank in bytes; 0 if there is none.
[[nodiscard]] std::size_t wide_blank(std::string_view text) noexcept;

/// Whether a text is a variable name that can be given, in any namespace: `a`, `a::_b`.
[[nodiscard]] bool is_qualified_name(std::string_view name) noexcept;
/// Whether a text is a name in a variable: such a name, with or without a leading `::`, or a group number: `1`.
[[nodiscard]] bool is_variable_name(std::string_view name) noexcept;
/// Whether it is a plain variable name, which can be assigned: `a`, `_b`.
[[nodiscard]] bool is_local_name(std::string_view name) noexcept;

}  // namespace strata::puppet
