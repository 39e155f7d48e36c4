// SPDX-License-Identifier: Apache-2.0
// Writes values in all forms of src/ruby: one line of JSON in, one line out. A value is [kind, data]: ["null"],
// ["bool", true], ["int", "12"],
// ["float", "0x1p+0"], ["text", BASE64], ["binary", BASE64], ["sequence", [value...]], ["mapping", [[key, value]...]].
// The result is an object of forms, each in base64. ruby_writers.py reads it.
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "ruby/ruby.hpp"
#include "strata/builder.hpp"
#include "strata/error.hpp"
#include "strata/scalar_text.hpp"
#include "strata/text.hpp"

namespace strata::ruby {
namespace {

using Json = nlohmann::json;

std::string bytes(const Json& base64) { return text::decode_base64(base64.get<std::string>()).value(); }

// Recursion: the script bounds the depth.
Value value_of(Arena& arena, const Json& node) {
  const auto kind = node.at(0).get<std::string>();
  if (kind == "null") return Value::null();
  const Json& data = node.at(1);
  if (kind == "bool") return Value::boolean(data.get<bool>());
  if (kind == "int") return arena.integer(data.get<std::string>());
  if (kind == "float") return Value::floating(std::strtod(data.get<std::string>().c_str(), nullptr));
  if (kind == "text") return arena.text(bytes(data));
  if (kind == "binary") return arena.binary(bytes(data));
  if (kind == "sequence") {
    SequenceBuilder sequence(arena);
    for (const Json& item : data) sequence.append(value_of(arena, item));
    return sequence.finish();
  }
  MappingBuilder mapping(arena);
  for (const Json& entry : data) mapping.insert(arena.key(value_of(arena, entry.at(0))), value_of(arena, entry.at(1)));
  return mapping.finish();
}

std::string json_or_error(const Value& value) {
  try {
    return json(value);
  } catch (const Error& error) {
    return "error " + error.code();
  }
}

std::string dump(const Value& value) {
  constexpr int kIndent = 3;
  std::string out;
  append_dump(out, value, kIndent);
  return out;
}

}  // namespace
}  // namespace strata::ruby

int main() {
  using namespace strata::ruby;
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    strata::Arena arena;
    const strata::Value value = value_of(arena, Json::parse(line));
    const Json out = {
        {"inspect", strata::base64_encode(inspect(value))},    {"to_s", strata::base64_encode(interpolated(value))},
        {"dump", strata::base64_encode(dump(value))},          {"s", strata::base64_encode(s(value))},
        {"json", strata::base64_encode(json_or_error(value))}, {"yaml", strata::base64_encode(yaml(value))}};
    std::cout << out.dump() << '\n';
  }
}
