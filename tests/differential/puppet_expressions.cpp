// SPDX-License-Identifier: Apache-2.0
// Evaluates programs of the Puppet language: a JSON text a line, `{"ok": [value, text]}` or `{"error": [code,
// message]}` a line for each. The first line is a mapping of the variables of top scope. puppet_expressions.py asks.
#include <cstdio>
#include <iostream>
#include <string>

#include "puppet/evaluation/evaluator.hpp"
#include "puppet/evaluation/operations.hpp"
#include "puppet/language/parser.hpp"
#include "strata/puppet.hpp"
#include "strata/scalar_text.hpp"
#include "strata/text.hpp"

namespace strata::puppet {
namespace {

std::string pair(std::string_view tag, std::string_view text) {
  std::string out = "[";
  text::append_json_text(out, tag);
  out += ',';
  text::append_json_text(out, text);
  return out + "]";
}

// Recursion: values that this program made.
std::string encode(const Value& value) {
  switch (value.kind()) {
    case Kind::integer:
    case Kind::big_integer:
      return pair("int", scalar_text(value));
    case Kind::floating: {
      char buffer[64];
      std::snprintf(buffer, sizeof buffer, "%.17g", value.as_floating());
      return pair("float", std::string_view(buffer) == "-nan" ? "nan" : buffer);
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
      return pair("object", value.as_object().to_string());
    default:
      return "[\"undef\"]";
  }
}

std::string answer(const std::string& program, const Value& variables) {
  Sources sources;
  Diagnostics diagnostics;
  Arena arena;
  SyntaxTree tree(program.size() * 4);
  const Limits limits;
  try {
    Parser parser(sources, sources.add("program", program), tree, limits);
    Problems errors;
    const Block* body = parser.program(errors);
    errors.raise();
    Scope scope(nullptr);
    for (const Entry& entry : variables.entries()) scope.assign(entry.key.text(), entry.value, {});
    Evaluator evaluator({.sources = sources, .arena = arena, .limits = limits, .diagnostics = diagnostics});
    const Value value = evaluator.evaluate(*body, scope);
    std::string out = "{\"ok\":[" + encode(value) + ",";
    text::append_json_text(out, text_of(value, evaluator));
    return out + "]}";
  } catch (const Error& error) {
    return "{\"error\":" + pair(error.code(), error.what()) + "}";
  }
}

int run() {
  Sources sources;
  std::string line;
  Arena arena;
  if (!std::getline(std::cin, line)) return 2;
  const Value variables = arena.deep_copy(text::read_json(sources, sources.add("variables", line), {}).root);
  while (std::getline(std::cin, line)) {
    Sources of_line;
    const text::Document program = text::read_json(of_line, of_line.add("line", line), {});
    std::cout << answer(std::string(program.root.text()), variables) << '\n' << std::flush;
  }
  return 0;
}

}  // namespace
}  // namespace strata::puppet

int main() { return strata::puppet::run(); }
