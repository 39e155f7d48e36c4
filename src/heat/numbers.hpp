// Numbers as the reference's language reads and compares them.
#pragma once

#include <optional>
#include <string_view>

#include "strata/value.hpp"

namespace strata::heat {

/// The number that a text stands for: an integer where `int()` of Python takes it, else what `float()` makes of it; none where both refuse. White
/// space around, a sign and single underscores between digits are allowed, and digits of all scripts. Integers of more than 4300 digits
/// are floats.
[[nodiscard]] std::optional<Value> number_of(Arena& arena, std::string_view written);

/// Whether a value counts as a number: integers, floats, booleans.
[[nodiscard]] bool is_number(const Value& value) noexcept;

/// Whether the first number is less than the second, by amount; false where one is not-a-number.
[[nodiscard]] bool is_less(const Value& left, const Value& right);

/// What is left of a number after division by an integer that is not 0, with the sign of the divisor. A float for a float.
[[nodiscard]] Value remainder(const Value& number, const Value& divisor);

}  // namespace strata::heat
