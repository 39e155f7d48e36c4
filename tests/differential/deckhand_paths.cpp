// SPDX-License-Identifier: Apache-2.0
// Reads and writes by paths for tests/differential/deckhand_paths.py: one JSON text a line, [path, data] or [path,
// data, value], to one JSON text a line, ["found", values], ["first", value], ["data", data] or ["error", code].
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "deckhand/path/write.hpp"
#include "strata/builder.hpp"
#include "strata/error.hpp"
#include "strata/text.hpp"
#include "support/sessions.hpp"

namespace strata::deckhand {
namespace {

std::string json(const Value& value) {
  std::string out;
  text::append_json(out, value, {.indent = -1});
  return out;
}

std::string answer(const std::string& line) {
  Session session = testing::test_session();
  Sources& sources = session.sources();
  const Limits& limits = session.limits();
  const text::Document request = text::read_json(sources, sources.add("request", line), limits);
  const std::span<const Value> parts = request.root.items();
  Arena& arena = session.arena();
  Rendering rendering{.session = session, .arena = arena};
  try {
    const PathExpression path = PathExpression::parse(parts[0].text());
    if (parts.size() == 2) {
      SequenceBuilder values(arena);
      for (const Match& match : path.find(parts[1], rendering)) values.append(match.value);
      const auto first = path.read({parts[1], {}}, rendering);
      if (first.has_value() != (values.size() > 0) || (first && !identical(first->value, values.items()[0])))
        return R"(["error", "first"])";
      return R"(["found", )" + json(values.finish()) + "]";
    }
    merge::Accumulator data(arena, limits, session.recorder());
    data.start({parts[1], {}});
    write(data, path, {parts[2], {}}, rendering);
    return R"(["data", )" + json(data.current().value) + "]";
  } catch (const Error& error) {
    return R"(["error", ")" + error.code() + R"("])";
  }
}

}  // namespace
}  // namespace strata::deckhand

int main() {
  for (std::string line; std::getline(std::cin, line);) std::cout << strata::deckhand::answer(line) << '\n';
}
