// SPDX-License-Identifier: Apache-2.0
// Converts values to the type of their parameter.
#pragma once

#include <string>

#include "heat/schema.hpp"
#include "strata/limits.hpp"

namespace strata::heat {

/// A value in the type of its parameter, or the reason why there is none.
struct Parsed {
  Value value;
  std::string problem;  ///< Empty if there is no problem. Values of hidden parameters are shown as `******`.
};

/// Numbers and booleans unchanged; texts are parsed as numbers.
[[nodiscard]] Parsed parse_number(const Value& given, bool hidden, Arena& arena);
/// Booleans, and texts such as `yes` and `off` in any case, with blanks around. Numbers count as their text.
[[nodiscard]] Parsed parse_boolean(const Value& given, bool hidden);
/// A list, with items as text; or a text split at commas, where blanks are kept and `''` is an empty list.
[[nodiscard]] Parsed parse_list(const Value& given, Arena& arena);

/// Converts a value to the type of its parameter. The origin is that of the given value; parts of a JSON text have
/// their place in the text. Cost: linear.
[[nodiscard]] Parsed parse(const ParameterSchema& schema, const Value& given, Arena& arena, Sources& sources,
                           const Limits& limits);

/// A value as a parameter of type string: `True`, `1.5`, `None`; containers as JSON in one line.
[[nodiscard]] std::string shown_plain(const Value& value);
/// A text for messages, shortened if it is long.
[[nodiscard]] std::string in_message(std::string text);
/// A converted value as the reference shows it: mappings and lists as JSON, a comma_delimited_list joined with commas;
/// `******` if hidden.
[[nodiscard]] std::string shown(const ParameterSchema& schema, const Value& parsed);

}  // namespace strata::heat
