// SPDX-License-Identifier: Apache-2.0
// Renders templates for tests/differential/jinja.py: one JSON text a line, [template, variables], to one JSON text a
// line, [kind, text].
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "jinja/jinja.hpp"
#include "strata/builder.hpp"
#include "strata/error.hpp"

namespace {

using Json = nlohmann::ordered_json;

strata::Value to_value(strata::Arena& arena, const Json& json) {
  switch (json.type()) {
    case Json::value_t::boolean:
      return strata::Value::boolean(json.get<bool>());
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
      return strata::Value::integer(json.get<std::int64_t>());
    case Json::value_t::number_float:
      return strata::Value::floating(json.get<double>());
    case Json::value_t::string:
      return arena.text(json.get_ref<const std::string&>());
    case Json::value_t::array: {
      strata::SequenceBuilder sequence(arena);
      for (const Json& item : json) sequence.append(to_value(arena, item));
      return sequence.finish();
    }
    case Json::value_t::object: {
      strata::MappingBuilder mapping(arena);
      for (const auto& [key, value] : json.items()) mapping.insert(key, to_value(arena, value));
      return mapping.finish();
    }
    default:
      return strata::Value::null();
  }
}

/// Each segment must lie where it says: literal text is found again at its place.
void check_segments(const strata::Sources& sources, const std::string& text,
                    const strata::jinja::Rendering& rendering) {
  const std::size_t first = sources.at(strata::SourceId{}, 0).location;
  for (std::size_t index = 0; index < rendering.segments.size(); ++index) {
    const strata::Segment& segment = rendering.segments[index];
    const std::size_t end =
        index + 1 < rendering.segments.size() ? rendering.segments[index + 1].inner : rendering.text.size();
    const std::size_t place = segment.outer.location - first;
    if ((index == 0 && segment.inner != 0) || segment.inner >= end || place > text.size())
      throw std::logic_error("a segment is out of order");
    if (!segment.verbatim) continue;
    for (std::size_t at = 0; at < end - segment.inner; ++at) {
      const char inner = rendering.text[segment.inner + at];
      const char outer = place + at < text.size() ? text[place + at] : '\0';
      if (inner != outer && !(inner == '\n' && outer == '\r')) throw std::logic_error("a segment is not verbatim");
    }
  }
}

}  // namespace

int main() {
  std::string line;
  strata::Limits limits;
  limits.steps = 300'000;
  while (std::getline(std::cin, line)) {
    const Json json = Json::parse(line);
    Json answer;
    try {
      strata::Sources sources;
      strata::Arena arena;
      const auto text = json[0].get<std::string>();
      const strata::SourceId source = sources.add("template", text);
      const strata::Value data = to_value(arena, json[1]);
      const bool is_instance_data = json.size() > 2;
      const strata::Value variables = is_instance_data ? strata::jinja::instance_variables(arena, data) : data;
      const strata::jinja::Rendering rendering = strata::jinja::render(sources, source, 0, variables, limits);
      check_segments(sources, text, rendering);
      answer = Json::array({"text", rendering.text});
    } catch (const strata::Error& error) {
      answer = Json::array({"error", strata::format(error.diagnostic(), error.code())});
    }
    std::cout << answer.dump() << '\n';
  }
}
