// SPDX-License-Identifier: Apache-2.0
// Numbers as the reference's language parses and compares them.
#pragma once

#include <optional>
#include <string_view>

#include "strata/value.hpp"

namespace strata::heat {

/// Parses a text as a number: an integer if Python's `int()` accepts it, otherwise the result of `float()`. No value if
/// both reject it. White space around it, a sign and single underscores between digits are allowed, and digits of all
/// scripts. Integers of more than 4300 digits are floats.
[[nodiscard]] std::optional<Value> number_of(Arena& arena, std::string_view written);

/// Whether a value counts as a number: integers, floats, booleans.
[[nodiscard]] bool is_number(const Value& value) noexcept;

/// Whether the first number is less than the second. False if one is not-a-number.
[[nodiscard]] bool is_less(const Value& left, const Value& right);

/// The remainder after division by an integer other than 0, with the sign of the divisor. A float for a float.
[[nodiscard]] Value remainder(const Value& number, const Value& divisor);

}  // namespace strata::heat
