// SPDX-License-Identifier: Apache-2.0
// Scalars as text. Each value has one spelling, on all platforms.
#pragma once

#include <string>

#include "strata/value.hpp"

namespace strata {

/// The shortest decimal spelling that reads back as the same number, always with a point: `1.0`, `0.1`, `1.0e+20`;
/// `.inf`, `-.inf`, `.nan`.
[[nodiscard]] std::string float_text(double number);
/// ISO 8601: `2001-12-14`.
[[nodiscard]] std::string date_text(const Date& date);
/// ISO 8601, with `separator` between date and time. Microseconds and the zone (`+00:00` for UTC) are written if
/// present.
[[nodiscard]] std::string timestamp_text(const Timestamp& timestamp, char separator = 'T');
/// Standard base64 (RFC 4648) with padding.
[[nodiscard]] std::string base64_encode(std::string_view bytes);
/// A scalar as text, as in the mapping keys of JSON output: `true`, `null`, `1.5`, base64 for bytes. Containers are
/// written in one line, in `{}` and
/// `[]`.
[[nodiscard]] std::string scalar_text(const Value& value);

}  // namespace strata
