// Data as Python writes it: str(), repr() and json.dumps(); and what Python takes for true and for equal.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include "strata/value.hpp"

namespace strata::python {

/// Texts that are longer than they may be are Error `limit.result`.
inline constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

/// repr() of a float: the shortest digits that give it back, `1.0`, `1e+20`, `1.5e-07`, `inf`, `nan`.
[[nodiscard]] std::string float_repr(double number);
/// repr() of a text: in single quotes, unless it holds some and no double ones; what cannot be printed is escaped.
[[nodiscard]] std::string repr(std::string_view text);
/// repr() of data: `{'k': 'v', 'l': [1, None, 1.5]}`. Objects are written as their text.
[[nodiscard]] std::string repr(const Value& value, std::size_t most = kUnlimited);
/// str() of data: a text as it is, dates in ISO 8601, everything else as repr().
[[nodiscard]] std::string str(const Value& value, std::size_t most = kUnlimited);
/// json.dumps(): `, ` and `: ` between members, in their order, what is not ASCII as `\uXXXX`, `NaN` and `Infinity` where they are. Keys become text
/// as Python makes them; bytes are written as base64, dates as ISO 8601, sets as arrays, which json.dumps() refuses.
[[nodiscard]] std::string json(const Value& value, std::size_t most = kUnlimited);

/// What `if value:` asks in Python: false for null, false, 0 and what is empty; true for everything else.
[[nodiscard]] bool truth(const Value& value) noexcept;
/// Python's `==` on data: numbers and booleans are equal by amount (1 = 1.0 = true), mappings without order; NaN equals nothing.
[[nodiscard]] bool equal(const Value& left, const Value& right);

}  // namespace strata::python
