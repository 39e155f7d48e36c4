// Plain scalars: which texts are numbers, dates and the like, and what they amount to.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "strata/value.hpp"

namespace strata::text {

// Tests for a profile's table. Each takes the whole scalar.
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

// What a scalar amounts to. None where the text is not of that form, or not a possible value (31 February): the reader makes an error of it.
std::optional<bool> boolean_value(std::string_view text);
/// Decimal, `0b`, `0x`, `0o`, leading-zero octal and base 60, with `_` anywhere; more than 4300 decimal digits are refused as the reference does.
std::optional<Value> integer_value(Arena& arena, std::string_view text, bool leading_zero_is_octal);
std::optional<double> float_value(std::string_view text);
std::optional<Value> timestamp_value(Arena& arena, std::string_view text);

}  // namespace strata::text
