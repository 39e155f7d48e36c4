// Digits to floats, whatever locale the program has set.
#pragma once

#include <optional>
#include <string_view>

namespace strata::text {

/// The double that is nearest to decimal digits with an optional `-` before them, a point and an exponent; infinity or zero where it has none so
/// large or so small. None where the text is not of that form. Cost: linear.
[[nodiscard]] std::optional<double> parse_decimal(std::string_view text) noexcept;
/// The same of hexadecimal digits alone, without a prefix.
[[nodiscard]] std::optional<double> parse_hexadecimal(std::string_view digits) noexcept;

}  // namespace strata::text
