// SPDX-License-Identifier: Apache-2.0
// Plain scalars: which texts are numbers, dates and the like, and their values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "strata/value.hpp"

namespace strata::text {

// Tests for a profile's table. Each matches the whole scalar.
bool is_yaml11_null(std::string_view text);
bool is_yaml11_boolean(std::string_view text);
bool is_pyyaml_integer(std::string_view text);
bool is_pyyaml_float(std::string_view text);
bool is_pyyaml_timestamp(std::string_view text);
bool is_merge(std::string_view text);
bool is_value_sign(std::string_view text);
bool is_core_null(std::string_view text);
bool is_core_boolean(std::string_view text);
bool is_core_integer(std::string_view text);
bool is_core_float(std::string_view text);

// Values of scalars. No value if the text does not have the form, or is not possible (31 February): an error in the
// reader.
std::optional<bool> boolean_value(std::string_view text);
/// Decimal, `0b`, `0x`, `0o`, leading-zero octal and base 60, with `_` anywhere. More than 4300 decimal digits are
/// rejected, as in the reference.
std::optional<Value> pyyaml_integer(Arena& arena, std::string_view text);
/// The same, but `010` is 10.
std::optional<Value> core_integer(Arena& arena, std::string_view text);
std::optional<double> float_value(std::string_view text);
std::optional<Value> timestamp_value(Arena& arena, std::string_view text);

// Parts of the conversions.
/// Digits without sign. No value for no digits, or for more than 4300: the conversion is quadratic.
std::optional<Value> number_in_base(Arena& arena, bool negative, std::string_view digits, std::uint32_t base);

}  // namespace strata::text
