// SPDX-License-Identifier: Apache-2.0
// Answers questions about Puppet types, one JSON array a line: [OP, TYPE, VALUES...]. In values {"__hash": [[key,
// value], ...]} is a mapping,
// {"__type": TEXT} a type, {"__sensitive": value} a Sensitive. An answer is a JSON line: {"ok": ...} or {"error":
// [code, message]}. puppet_types.py asks.
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "strata/builder.hpp"
#include "strata/error.hpp"
#include "strata/puppet.hpp"
#include "strata/scalar_text.hpp"
#include "strata/text.hpp"

namespace strata {
namespace {

// Recursion: the reader bounds the depth.
Value decode(Arena& arena, const Value& value) {
  if (value.is_sequence()) {
    SequenceBuilder out(arena);
    for (const Value& item : value.items()) out.append(decode(arena, item));
    return out.finish();
  }
  if (!value.is_mapping()) return value;
  const Entry& entry = value.entries().front();
  if (entry.key.text() == "__type") return puppet::make_type_value(arena, puppet::parse_type(entry.value.text(), {}));
  if (entry.key.text() == "__sensitive") return puppet::make_sensitive(arena, decode(arena, entry.value));
  MappingBuilder out(arena);
  for (const Value& pair : entry.value.items())
    out.insert(arena.key(decode(arena, pair.items()[0])), decode(arena, pair.items()[1]));
  return out.finish();
}

std::string pair(std::string_view tag, std::string_view text) {
  std::string out = "[";
  text::append_json_text(out, tag);
  out += ',';
  text::append_json_text(out, text);
  return out + "]";
}

// Recursion: values that this program read or made of them.
std::string encode(const Value& value) {
  switch (value.kind()) {
    case Kind::integer:
    case Kind::big_integer:
      return pair("int", scalar_text(value));
    case Kind::floating: {
      char buffer[64];
      std::snprintf(buffer, sizeof buffer, "%.17g", value.as_floating());
      return pair("float", buffer);
    }
    case Kind::text:
      return pair("text", value.text());
    case Kind::boolean:
      return pair("bool", scalar_text(value));
    case Kind::sequence: {
      std::string out = "[\"list\"";
      for (const Value& item : value.items()) out += "," + encode(item);
      return out + "]";
    }
    case Kind::mapping: {
      std::string out = "[\"hash\"";
      for (const Entry& entry : value.entries()) out += ",[" + encode(entry.key) + "," + encode(entry.value) + "]";
      return out + "]";
    }
    case Kind::object:
      if (const puppet::Sensitive* sensitive = puppet::as_sensitive(value))
        return "[\"sensitive\"," + encode(sensitive->value()) + "]";
      return pair("type", value.as_object().to_string());
    default:
      return "[\"undef\"]";
  }
}

std::string answer(Arena& arena, const Value& question) {
  const std::span<const Value> parts = question.items();
  const std::string_view op = parts[0].text();
  std::vector<Value> values;
  for (const Value& value : parts.subspan(2)) values.push_back(decode(arena, value));
  if (op == "infer") {
    const puppet::TypeRef type = puppet::infer(values[0]);
    return pair(puppet::to_string(*type), puppet::to_string(*puppet::generalize(type)));
  }
  const puppet::TypeRef type = puppet::parse_type(parts[1].text(), {});
  if (op == "print") return pair("text", puppet::to_string(*type));
  if (op == "instance") return puppet::is_instance(*type, values[0]) ? "true" : "false";
  if (op == "assign") return puppet::is_assignable(*type, *puppet::as_type(values[0])->type()) ? "true" : "false";
  if (op == "mismatch")
    return pair("text", puppet::is_instance(*type, values[0]) ? "" : puppet::mismatch(*type, values[0], "Found value"));
  Limits limits;
  limits.result = 1'000'000;
  return encode(puppet::convert(*type, values, arena, limits));
}

int run() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::string out;
    try {
      Sources sources;
      const text::Document document = text::read_json(sources, sources.add("question", line), {});
      out = "{\"ok\":" + answer(*document.arena, document.root) + "}";
    } catch (const Error& error) {
      out = "{\"error\":" + pair(error.code(), error.what()) + "}";
    }
    std::puts(out.c_str());
  }
  return 0;
}

}  // namespace
}  // namespace strata

int main() { return strata::run(); }
