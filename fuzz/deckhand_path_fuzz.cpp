// SPDX-License-Identifier: Apache-2.0
// The paths of Deckhand's documents: the first line is a path, the second a value, the rest the data (YAML). What is
// written by a path that leads to one place is read from there again.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "deckhand/path/plan.hpp"
#include "deckhand/path/write.hpp"
#include "strata/error.hpp"
#include "strata/text.hpp"

namespace {

using namespace strata;

template <class Work>
void expect_own_errors(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.code().empty() || error.diagnostic().message.empty()) std::abort();
  }
}

std::string line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string first(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return first;
}

void run(std::string_view text) {
  Limits limits;
  limits.depth = 100;
  limits.steps = 20'000;
  limits.result = 20'000;
  limits.aliases = 10'000;
  Session session(Snapshot::make(Engine::make({.file_cache = 0}), memory_tree({})),
                  {.limits = limits, .keeps_history = true});
  Sources& sources = session.sources();
  const std::string path_text = line(text);
  const std::string value_text = line(text);
  const text::Document value = text::read_yaml(sources, sources.add("value", value_text), text::pyyaml(), limits);
  const text::Document data = text::read_yaml(sources, sources.add("data", std::string(text)), text::pyyaml(), limits);
  if (!data.root || !value.root) return;

  Arena& arena = session.arena();
  merge::Recorder& recorder = session.recorder();
  deckhand::Rendering rendering{.session = session, .arena = arena};
  const merge::Traced layer{data.root, recorder.add_layer("data")};
  const merge::Traced written{value.root, recorder.add_layer("value")};
  const auto path = deckhand::PathExpression::parse(deckhand::action_path(path_text, deckhand::Compat::promised));
  expect_own_errors([&] {
    const auto all = path.find(data.root, rendering);
    const auto first = path.first(data.root, rendering);
    if (first.has_value() != !all.empty()) std::abort();
    if (first && !identical(path.read(layer, rendering)->value, all.front().value)) std::abort();
  });
  expect_own_errors([&] {
    merge::Accumulator total(arena, limits, recorder);
    total.start(layer);
    deckhand::write(total, path, written, rendering);
    (void)recorder.history()->explain(total.current());
    if (path.plan().is_simple && !identical(path.first(total.current().value, rendering)->value, value.root))
      std::abort();
  });
  for (const auto compat : {deckhand::Compat::promised, deckhand::Compat::shipped}) {
    expect_own_errors([&] {
      merge::Accumulator total(arena, limits, recorder);
      total.start(layer);
      (void)deckhand::erase(total, path, written, compat, rendering);
      (void)recorder.history()->explain(total.current());
    });
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 4096) return 0;
  expect_own_errors([&] { run({reinterpret_cast<const char*>(data), size}); });
  return 0;
}
