// SPDX-License-Identifier: Apache-2.0
// Text as Python treats it: code points in UTF-8.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/unicode/properties.hpp"

namespace strata::text::unicode {

/// The code point at byte `at`, which moves past it. A byte that is not UTF-8 counts as one code point.
char32_t decode(std::string_view text, std::size_t& at) noexcept;
/// Number of code points.
[[nodiscard]] std::size_t length(std::string_view text) noexcept;
/// Byte offset of the code point with number `index`; the size of the text if there are fewer.
[[nodiscard]] std::size_t offset(std::string_view text, std::size_t index) noexcept;
/// The code points, each as text.
[[nodiscard]] std::vector<std::string_view> characters(std::string_view text);

// Character classes of Python's str methods.
[[nodiscard]] bool is_space(char32_t point) noexcept;
[[nodiscard]] bool is_alpha(char32_t point) noexcept;
[[nodiscard]] bool is_alnum(char32_t point) noexcept;
/// 0 to 9 for a decimal digit of any script (Unicode 14).
[[nodiscard]] std::optional<unsigned> decimal_digit(char32_t point) noexcept;
[[nodiscard]] bool is_upper(char32_t point) noexcept;
[[nodiscard]] bool is_lower(char32_t point) noexcept;
/// Whether repr() shows it unescaped.
[[nodiscard]] bool is_printable(char32_t point) noexcept;
/// Whether it ends a line for splitlines(). CR LF is one break.
[[nodiscard]] bool is_line_break(char32_t point) noexcept;

[[nodiscard]] std::string upper(std::string_view text);
[[nodiscard]] std::string upper(std::string_view text, Version version);
[[nodiscard]] std::string lower(std::string_view text);
[[nodiscard]] std::string lower(std::string_view text, Version version);
/// Lower case for comparison: `ß` is `ss`, and a final sigma is not special.
[[nodiscard]] std::string casefold(std::string_view text);
[[nodiscard]] std::string capitalize(std::string_view text);
[[nodiscard]] std::string title(std::string_view text);
[[nodiscard]] std::string title(std::string_view text, Version version);
[[nodiscard]] std::string swapcase(std::string_view text);

/// Without white space (or any of `characters`) at the chosen ends.
[[nodiscard]] std::string_view strip(std::string_view text, bool left, bool right,
                                     std::optional<std::string_view> characters = {}) noexcept;
[[nodiscard]] std::vector<std::string_view> split_lines(std::string_view text, bool keep_ends = false);
/// The words between runs of white space, with at most `limit` splits (no value: all).
[[nodiscard]] std::vector<std::string_view> split_space(std::string_view text, std::optional<std::size_t> limit = {});

}  // namespace strata::text::unicode
