// SPDX-License-Identifier: Apache-2.0
// Converts digits to floats, independent of the locale.
#pragma once

#include <optional>
#include <string_view>

namespace strata::text {

/// The double nearest to decimal digits with an optional leading `-`, a point and an exponent. Infinity or zero if it
/// is too large or too small. No value if the text does not have this form. Cost: linear.
[[nodiscard]] std::optional<double> parse_decimal(std::string_view text) noexcept;
/// The same for hexadecimal digits, without a prefix.
[[nodiscard]] std::optional<double> parse_hexadecimal(std::string_view digits) noexcept;

}  // namespace strata::text
