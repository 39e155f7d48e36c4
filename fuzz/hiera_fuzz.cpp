// SPDX-License-Identifier: Apache-2.0
// Looks keys up in a code directory that the input is split into: lines `@@ NAME` begin files. `facts.yaml` holds
// facts, `keys` the keys, a line each; other names are files of the environment, or absolute ones. Only errors of
// strata come out, and neither a history nor an explanation changes a value.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>

#include "ruby/ruby.hpp"
#include "strata/builder.hpp"
#include "strata/hiera.hpp"
#include "strata/report.hpp"
#include "strata/text.hpp"

namespace {

using namespace strata;

constexpr std::size_t kMostKeys = 6;
const Limits kLimits{.depth = 60, .input = std::size_t{1} << 18U, .aliases = 2000, .result = 20'000, .steps = 2000};

struct Input {
  std::map<std::string, std::string> files;
  std::string facts;
  std::string keys;
};

Input split(std::string_view text) {
  Input input;
  std::string name = "hiera.yaml";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    if (line.starts_with("@@ ")) {
      name = line.substr(3, line.find('\n') - 3);
    } else {
      (name == "facts.yaml" ? input.facts
       : name == "keys"     ? input.keys
                        : input.files[name.starts_with('/') ? name : "/code/environments/production/" + name]) += line;
    }
  }
  return input;
}

/// What came out: a value, or the code of an error.
struct Outcome {
  std::string value;
  std::string code;
};

template <class Work>
Outcome outcome(const Work& work) {
  try {
    return {work(), ""};
  } catch (const Error& error) {
    if (error.diagnostic().message.empty() || error.code().empty()) std::abort();
    (void)format(error.diagnostic(), "error");
    return {"", error.code()};
  }
}

bool is_same(const Outcome& left, const Outcome& right) {
  const bool is_limited = left.code.starts_with("limit.") || right.code.starts_with("limit.");
  return is_limited || (left.value == right.value && left.code == right.code);
}

void look_up(const hiera::Settings& settings, const Session& parent, const hiera::Facts& facts,
             const hiera::Query& query) {
  const Outcome plain = outcome([&] {
    Session session(parent, false);
    hiera::NodeView view(settings, facts, session);
    return strata::ruby::inspect(view.lookup(query).value.value);
  });
  const Outcome recorded = outcome([&] {
    Session session(parent, true);
    hiera::NodeView view(settings, facts, session);
    return strata::ruby::inspect(view.lookup(query).value.value);
  });
  const Outcome told = outcome([&] {
    Session session(parent, true);
    const merge::History& history = *session.recorder().history();
    hiera::NodeView view(settings, facts, session);
    hiera::Explanation explanation(hiera::Explanation::Scope::both);
    Arena arena;
    try {
      const hiera::Result result = view.lookup(query, &explanation);
      (void)report::explain_text(session.sources(), history, history.explain(result.value));
      (void)report::blame_text(session.sources(), result.value.value, {});
      (void)explanation.text();
      (void)explanation.data(arena);
      return strata::ruby::inspect(result.value.value);
    } catch (const Error&) {
      (void)explanation.text();
      throw;
    }
  });
  // An explanation warns of an unknown variable and goes on.
  const bool goes_on = plain.code == "hiera.unknown-variable";
  if (is_same(plain, recorded) && (goes_on || is_same(plain, told))) return;
  fmt::print(stderr, "'{}' is {}{}; with a history {}{}; explained {}{}\n", query.names.front(), plain.code,
             plain.value, recorded.code, recorded.value, told.code, told.value);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Input input = split({reinterpret_cast<const char*>(data), size});
  Session session(Snapshot::make(Engine::make({.file_cache = 0}), memory_tree(input.files), {.limits = kLimits}),
                  {.limits = kLimits});
  const hiera::Settings settings{.codedir = "/code", .working_folder = "/code"};
  (void)outcome([&] {
    const SourceId source = session.sources().add("facts.yaml", input.facts.empty() ? "{}" : input.facts);
    const hiera::Facts facts = hiera::read_facts(session.sources(), source, "facts.yaml", kLimits);
    (void)hiera::modules(settings, session);
    (void)outcome([&] {
      std::string all;
      for (const std::string& key : hiera::NodeView(settings, facts, session).keys()) all += key;
      return all;
    });
    std::size_t asked = 0;
    for (std::string_view rest = input.keys; !rest.empty() && asked < kMostKeys; ++asked) {
      const std::size_t end = rest.find('\n');
      hiera::Query query;
      query.names = {std::string(rest.substr(0, end))};
      rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
      look_up(settings, session, facts, query);
      // One merge behaviour a key: all of them would make runs slow.
      Arena arena;
      constexpr std::array<const char*, 5> kStrategies{"first", "unique", "hash", "deep", ""};
      const std::string_view strategy = kStrategies[query.names.front().size() % kStrategies.size()];
      query.merge = arena.text(strategy);
      if (strategy.empty()) {
        MappingBuilder merge(arena);
        merge.insert("strategy", arena.text("deep"));
        merge.insert("knockout_prefix", arena.text("--"));
        merge.insert("merge_hash_arrays", Value::boolean(true));
        query.merge = merge.finish();
      }
      look_up(settings, session, facts, query);
    }
    return std::string();
  });
  return 0;
}
