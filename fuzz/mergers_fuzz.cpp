// SPDX-License-Identifier: Apache-2.0
// Reads arbitrary bytes as a strategy, in its string form and as a YAML value, builds it and merges two fixed trees
// with it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "cloudinit/mergers.hpp"
#include "strata/text.hpp"

namespace {

using namespace strata;

constexpr std::string_view kOld =
    "{a: 1, l: [1, [2], {x: 1}, s], e: [], m: {x: 1, n: {y: [1]}}, s: abc, z: null, w: 2001-01-01, t: ''}";
constexpr std::string_view kNew =
    "{a: null, l: [9, [8], {x: 7, y: 6}, t, 5], e: [1], m: {x: null, n: {y: {q: 1}}, 0: 1}, s: {k: v}, z: {a: 1}, w: "
    "[1], t: x, n: [1]}";

void use(const std::vector<cloudinit::Merger>& mergers) {
  const cloudinit::BuiltStrategy built = cloudinit::build_strategy(mergers, {});
  Sources sources;
  const text::Document old = text::read_yaml(sources, sources.add("old", std::string(kOld)), text::pyyaml(), {});
  const text::Document incoming = text::read_yaml(sources, sources.add("new", std::string(kNew)), text::pyyaml(), {});
  const std::string before = text::write_yaml(old.root);
  Arena arena;
  merge::NullRecorder unrecorded(sources);
  try {
    const merge::Traced result =
        merge::merge({old.root, {}}, {incoming.root, {}}, built.strategy, arena, {}, unrecorded, built.calls);
    if (!built.has_dict && !identical(result.value, old.root)) std::abort();
  } catch (const Error&) {
  }
  if (text::write_yaml(old.root) != before) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    use(cloudinit::parse_mergers(text, {}));
  } catch (const Error&) {
  }
  try {
    Sources sources;
    const text::Document document =
        text::read_yaml(sources, sources.add("f", text), text::pyyaml(), {.depth = 100, .aliases = 2000});
    Arena arena;
    if (document.root) use(cloudinit::parse_mergers(document.root, arena));
  } catch (const Error&) {
  }
  return 0;
}
