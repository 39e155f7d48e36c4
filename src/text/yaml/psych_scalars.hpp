// Plain scalars as Psych 4 (Ruby 3.1) reads them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "strata/value.hpp"

namespace strata::text {

// Tests for the profile's table. Each takes the whole scalar.
bool is_psych_null(std::string_view text);
bool is_psych_boolean(std::string_view text);
/// Dates and times of day, for which the reference lacks the permission: `YYYY-M-D`, also some that no calendar has.
bool is_psych_time(std::string_view text);
bool is_psych_symbol(std::string_view text);
bool is_psych_integer(std::string_view text);
bool is_psych_float(std::string_view text);

// What a scalar of that form amounts to. None where the reference fails, too (`0x_`, `.e+3`).
/// Also of several lines in all of five characters: one of them decides, as in the reference.
std::optional<bool> psych_boolean(std::string_view text);
/// Decimal digits without limit; other bases up to 4300 digits. Base 60 counts from the left: the first group is hours.
std::optional<Value> psych_integer(Arena& arena, std::string_view text);
std::optional<double> psych_float(std::string_view text);
/// Under `!!float`: integers too, and what Ruby's `Float()` takes besides (`1e3`, `0x1A`, blanks around).
std::optional<double> psych_tagged_float(std::string_view text);
/// The name of `:name`, `:"name"` or `:'name'`; what follows the closing quote is dropped.
std::string_view psych_symbol_name(std::string_view text);

/// Base64 as Ruby unpacks it: other characters are skipped, `=` ends it where it can stand, a rest of one character is dropped.
std::optional<std::string> psych_base64(std::string_view text);

}  // namespace strata::text
