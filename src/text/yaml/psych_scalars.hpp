// SPDX-License-Identifier: Apache-2.0
// Plain scalars as Psych 4 (Ruby 3.1) reads them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "strata/value.hpp"

namespace strata::text {

/// Bytes of the longest text that is null or a boolean: five characters of up to three bytes.
constexpr std::size_t kLongestPsychWord = 15;

// Tests for the profile's table. Each matches the whole scalar.
bool is_psych_null(std::string_view text);
bool is_psych_boolean(std::string_view text);
/// Dates and times of day, which the reference does not permit: `YYYY-M-D`, including some that no calendar has.
bool is_psych_time(std::string_view text);
bool is_psych_symbol(std::string_view text);
bool is_psych_integer(std::string_view text);
bool is_psych_float(std::string_view text);

// Values of scalars of that form. No value if the reference fails too (`0x_`, `.e+3`).
/// Also for several lines of five characters in all: one of them decides, as in the reference.
std::optional<bool> psych_boolean(std::string_view text);
/// Any number of decimal digits; other bases up to 4300 digits. Base 60 counts from the left: the first group is hours.
std::optional<Value> psych_integer(Arena& arena, std::string_view text);
std::optional<double> psych_float(std::string_view text);
/// With `!!float`: integers too, and everything else that Ruby's `Float()` accepts (`1e3`, `0x1A`, blanks around).
std::optional<double> psych_tagged_float(std::string_view text);
/// The name of `:name`, `:"name"` or `:'name'`. Text after the closing quote is dropped.
std::string_view psych_symbol_name(std::string_view text);

/// Base64 as Ruby unpacks it: other characters are skipped, `=` ends it if it is allowed there, a single remaining
/// character is dropped.
std::optional<std::string> psych_base64(std::string_view text);

}  // namespace strata::text
