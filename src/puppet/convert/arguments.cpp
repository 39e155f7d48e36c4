// SPDX-License-Identifier: Apache-2.0
#include "puppet/convert/arguments.hpp"

#include <charconv>
#include <cmath>

namespace strata::puppet {

std::optional<Integer> whole_part(double number) {
  if (!std::isfinite(number)) return std::nullopt;
  char buffer[400];  // A double has up to 309 digits before its point.
  const char* const end =
      std::to_chars(buffer, buffer + sizeof buffer, std::trunc(number), std::chars_format::fixed, 0).ptr;
  return Integer::from_digits(std::string_view(buffer, end));
}

Error cannot_convert(const Value& from, std::string_view to) {
  const std::string end = " cannot be converted to " + std::string(to);
  if (!from.is_text()) return {"puppet.convert", "value of type " + to_string(*generalize(infer(from))) + end};
  return {"puppet.convert", "the string '" + (from.is_secret() ? "******" : std::string(from.text())) + "'" + end};
}

Error wrong_arguments(const Conversion& call, std::string_view expected) {
  return {"puppet.convert", to_string(call.type) + ".new takes " + std::string(expected)};
}

void need_arguments(const Conversion& call, std::size_t least, std::size_t most, std::string_view expected) {
  if (call.arguments.size() < least || call.arguments.size() > most) throw wrong_arguments(call, expected);
}

void need_room(const Conversion& call, std::size_t nodes) {
  if (nodes > call.limits.result)
    throw Error("limit.result", "the conversion would make more than " + std::to_string(call.limits.result) + " nodes")
        .hint("--limit result=NUMBER");
}

}  // namespace strata::puppet
