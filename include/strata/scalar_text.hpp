// Scalars as text: one spelling for each value, the same on every platform.
#pragma once

#include <string>

#include "strata/value.hpp"

namespace strata {

/// The shortest decimal spelling that reads back as the same number, always with a point: `1.0`, `0.1`, `1.0e+20`; `.inf`, `-.inf`, `.nan`.
[[nodiscard]] std::string float_text(double number);
/// ISO 8601: `2001-12-14`.
[[nodiscard]] std::string date_text(const Date& date);
/// ISO 8601 with `separator` between date and time, microseconds where there are any, the zone where it has one (`+00:00` for UTC).
[[nodiscard]] std::string timestamp_text(const Timestamp& timestamp, char separator = 'T');
/// Standard base64 (RFC 4648) with padding.
[[nodiscard]] std::string base64_encode(std::string_view bytes);
/// A scalar as JSON output writes it where only text will do (mapping keys): `true`, `null`, `1.5`, base64 for bytes. Containers: `{}` and `[]` forms
/// in one line.
[[nodiscard]] std::string scalar_text(const Value& value);

}  // namespace strata
