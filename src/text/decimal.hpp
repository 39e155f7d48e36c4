// SPDX-License-Identifier: Apache-2.0
// Digits, and their conversion to floats, independent of the locale.
#pragma once

#include <optional>
#include <string_view>

namespace strata::text {

/// An ASCII digit.
[[nodiscard]] constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// The double nearest to decimal digits with an optional leading `-`, a point and an exponent. Infinity or zero if it
/// is too large or too small. No value if the text does not have this form. Cost: linear.
[[nodiscard]] std::optional<double> parse_decimal(std::string_view text) noexcept;
/// The same for hexadecimal digits, without a prefix.
[[nodiscard]] std::optional<double> parse_hexadecimal(std::string_view digits) noexcept;

}  // namespace strata::text
