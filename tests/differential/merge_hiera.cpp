// SPDX-License-Identifier: Apache-2.0
// Folds values under Hiera's merge behaviours, for tests/differential/hiera_merge.py: one JSON text a line, {"merge":
// options, "values": [...], "single": boolean}, values with their types spelled out, from the highest to the lowest;
// answers with one line each, ["value", result] or ["error", code]. Each case is folded with and without a history,
// which must agree with each other and with the result.
#include <iostream>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "hiera/strategies/merger.hpp"
#include "strata/builder.hpp"

namespace {

using namespace strata;
using Json = nlohmann::ordered_json;

// Recursion: as deep as the case.
Value to_value(Arena& arena, const Json& json) {
  const auto type = json[0].get<std::string>();
  if (type == "bool") return Value::boolean(json[1].get<bool>());
  if (type == "int") return arena.integer(json[1].get<std::string>());
  if (type == "float") return Value::floating(std::stod(json[1].get<std::string>()));
  if (type == "text") return arena.text(json[1].get<std::string>());
  if (type == "date") return Arena::date({.year = 2024, .month = 2, .day = 1});
  if (type == "list") {
    SequenceBuilder list(arena);
    for (const Json& item : json[1]) list.append(to_value(arena, item));
    return list.finish();
  }
  if (type == "hash") {
    MappingBuilder hash(arena);
    for (const Json& entry : json[1]) hash.insert(to_value(arena, entry[0]), to_value(arena, entry[1]));
    return hash.finish();
  }
  return Value::null();
}

// Recursion: as deep as the case.
Json to_json(const Value& value) {
  switch (value.kind()) {
    case Kind::boolean:
      return {"bool", value.as_boolean()};
    case Kind::integer:
      return {"int", std::to_string(value.as_integer())};
    case Kind::big_integer:
      return {"int", value.text()};
    case Kind::floating: {
      char buffer[64];
      std::snprintf(buffer, sizeof buffer, "%.17g", value.as_floating());
      return {"float", buffer};
    }
    case Kind::text:
      return {"text", value.text()};
    case Kind::date:
      return {"date", ""};
    case Kind::sequence: {
      Json list = Json::array();
      for (const Value& item : value.items()) list.push_back(to_json(item));
      return {"list", list};
    }
    case Kind::mapping: {
      Json hash = Json::array();
      for (const Entry& entry : value.entries())
        hash.push_back(Json::array({to_json(entry.key), to_json(entry.value)}));
      return {"hash", hash};
    }
    default:
      return {"null", ""};
  }
}

/// The prefix as a regular expression; the script uses those in which this library agrees with Ruby's.
merge::StripPrefix strip(const std::string& prefix) {
  return [prefix](std::string_view text) -> std::optional<std::string> {
    try {
      const std::regex pattern("^" + prefix, std::regex::ECMAScript | std::regex::multiline);
      const std::string subject(text);
      if (!std::regex_search(subject, pattern)) return std::nullopt;
      return std::regex_replace(subject, pattern, "");
    } catch (const std::regex_error&) {
      throw Error("hiera.knockout-prefix", "the prefix is no regular expression");
    }
  };
}

Value fold(const Json& json, Arena& arena, merge::Recorder& recorder) {
  const Sources& sources = recorder.sources();
  const Limits limits;
  const hiera::MergeOptions options = hiera::parse_merge(sources, to_value(arena, json["merge"]));
  std::vector<merge::Notice> notices;
  hiera::Merger merger(options, sources, arena, limits, recorder, recorder.keeps() ? &notices : nullptr,
                       strip(options.knockout_prefix.value_or("")));
  std::optional<merge::Traced> total;
  for (const Json& value : json["values"]) {
    const merge::Traced layer{to_value(arena, value), recorder.add_layer("layer")};
    const std::string before = to_json(layer.value).dump();
    if (json["single"].get<bool>()) {
      total = merger.single(layer);
    } else {
      total = total ? merger.merge(*total, layer) : merger.convert(layer);
    }
    if (to_json(layer.value).dump() != before) throw std::logic_error("an input has changed");
  }
  if (!recorder.keeps()) return total->value;
  for (const merge::PathHistory& path : recorder.history()->explain(*total)) {
    int won = 0;
    int merged = 0;
    for (const merge::Contribution& one : path.contributions) {
      merged += one.fate == merge::Fate::merged ? 1 : 0;
      if (one.fate != merge::Fate::won) continue;
      ++won;
      if (path.value && !identical(one.value, path.value))
        throw std::logic_error("the history has another value at " + path.path.pointer());
    }
    if (path.value && (won == 0) == (merged == 0))
      throw std::logic_error("the history does not tell who won at " + path.path.pointer());
  }
  return total->value;
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    const Json json = Json::parse(line);
    Json answer;
    for (const bool with_history : {false, true}) {
      Arena arena;
      const Sources sources;
      merge::History history(sources);
      merge::NullRecorder nothing(sources);
      merge::Recorder& recorder = with_history ? static_cast<merge::Recorder&>(history) : nothing;
      Json again;
      try {
        again = Json::array({"value", to_json(fold(json, arena, recorder))});
      } catch (const Error& error) {
        again = Json::array({"error", error.code()});
      } catch (const std::logic_error& error) {
        again = Json::array({"bug", error.what()});
      }
      if (with_history && again != answer && again[0] != "bug")
        again = Json::array({"bug", "with a history: " + again.dump()});
      answer = again;
    }
    std::cout << answer.dump() << '\n';
  }
}
