// What values become by the type of their parameter.
#pragma once

#include <string>

#include "heat/schema.hpp"
#include "strata/limits.hpp"

namespace strata::heat {

/// A value in the type of its parameter, or why it cannot be.
struct Parsed {
  Value value;
  std::string problem;  ///< Empty where there is none. Values of hidden parameters are `******` in it.
};

/// Numbers and booleans as they are, texts that read as numbers.
[[nodiscard]] Parsed parse_number(const Value& given, bool hidden, Arena& arena);
/// Booleans, and texts such as `yes` and `off` in any case with blanks around; numbers count as their text.
[[nodiscard]] Parsed parse_boolean(const Value& given, bool hidden);
/// A list with each item as text, or a text split at commas, where blanks stay and `''` is an empty list.
[[nodiscard]] Parsed parse_list(const Value& given, Arena& arena);

/// A value in the type of its parameter. Its origin is that of what was given; of the parts of a JSON text it is the place in that text.
/// Cost: linear.
[[nodiscard]] Parsed parse(const ParameterSchema& schema, const Value& given, Arena& arena, Sources& sources, const Limits& limits);

/// A value as the text that a parameter of type string becomes: `True`, `1.5`, `None`; containers as JSON in one line.
[[nodiscard]] std::string shown_plain(const Value& value);
/// A text as messages show it: cut off where it is long.
[[nodiscard]] std::string in_message(std::string text);
/// A parsed value as the reference shows it: mappings and lists as JSON, the list of a comma_delimited_list joined with commas; `******` where
/// hidden.
[[nodiscard]] std::string shown(const ParameterSchema& schema, const Value& parsed);

}  // namespace strata::heat
