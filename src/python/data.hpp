// SPDX-License-Identifier: Apache-2.0
// Python's str(), repr() and json.dumps() for data, and its truth and equality.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include "strata/value.hpp"

namespace strata::python {

/// Error `limit.result` for texts that are too long.
inline constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

/// repr() of a float: the shortest digits that read back as the same number, `1.0`, `1e+20`, `1.5e-07`, `inf`, `nan`.
[[nodiscard]] std::string float_repr(double number);
/// repr() of a text: in single quotes, unless it contains single quotes and no double quotes. Unprintable characters
/// are escaped.
[[nodiscard]] std::string repr(std::string_view text);
/// repr() of data: `{'k': 'v', 'l': [1, None, 1.5]}`. Objects are written as their text.
[[nodiscard]] std::string repr(const Value& value, std::size_t most = kUnlimited);
/// str() of data: texts unchanged, dates in ISO 8601, everything else as repr().
[[nodiscard]] std::string str(const Value& value, std::size_t most = kUnlimited);
/// json.dumps(): `, ` and `: ` between members, in their order; non-ASCII as `\uXXXX`; `NaN` and `Infinity` are
/// allowed. Keys become text as in Python. Bytes are written as base64, dates as ISO 8601, sets as arrays, which
/// json.dumps() rejects.
[[nodiscard]] std::string json(const Value& value, std::size_t most = kUnlimited);

/// Python's truth value: false for null, false, 0 and empty values; true for all others.
[[nodiscard]] bool truth(const Value& value) noexcept;
/// Python's `==` on data: numbers and booleans compare by value (1 = 1.0 = true), mappings ignore order, NaN equals
/// nothing.
[[nodiscard]] bool equal(const Value& left, const Value& right);

/// str.expandtabs(): tabs as blanks, up to columns of eight code points.
[[nodiscard]] std::string expandtabs(std::string_view text);

}  // namespace strata::python
