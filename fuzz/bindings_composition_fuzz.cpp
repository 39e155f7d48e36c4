// SPDX-License-Identifier: Apache-2.0
// Composes arbitrary documents (separated by a line of `----`, each in a layer of its own) and asks for everything.
// Either findings come out, or every listed name has the value that it is listed with; a check never throws; a history
// changes nothing.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "strata/bindings.hpp"

namespace {

using namespace strata;

std::vector<bindings::LayerTexts> layers_of(std::string_view text) {
  constexpr std::string_view kBetween = "\n----\n";
  std::vector<bindings::LayerTexts> out;
  while (out.size() < 4) {
    const std::size_t end = text.find(kBetween);
    const std::string name = "layer" + std::to_string(out.size());
    out.push_back({name, {{name, "bindings d {\n" + std::string(text.substr(0, end)) + "\n}\n"}}});
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + kBetween.size());
  }
  return out;
}

void ask(bindings::Preparations& shared, const bindings::InjectorInputs& inputs, Session& session) {
  bindings::Injector injector(shared, inputs, session);
  try {
    const Value all = injector.all().value;
    Session recording(session, true);
    bindings::Injector traced(shared, inputs, recording);
    if (!equal(traced.all().value, all)) std::abort();
  } catch (const Error& error) {
    if (error.diagnostic().message.empty()) std::abort();
  }
  try {
    static_cast<void>(injector.explain("", "a"));
  } catch (const Error& error) {
    if (error.diagnostic().message.empty()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Limits limits{.depth = 100, .input = std::size_t{1} << 20U, .result = 100'000, .steps = 20'000};
  Session session(Snapshot::make(Engine::make({.file_cache = 0}), memory_tree({})), {.limits = limits});
  bindings::Preparations shared;
  try {
    const auto layers = layers_of(std::string_view(reinterpret_cast<const char*>(data), size));
    const bindings::InjectorInputs inputs{
        .documents = bindings::LayeredDocuments(layers, session),
        .categories = {{"node", "kermit"}, {"environment", "production"}, {"virtual", "true"}, {"off", std::nullopt}},
        .facts = NamedText{"facts.json", R"({"rack": 7})"}};
    static_cast<void>(bindings::check(shared, inputs, session));
    ask(shared, inputs, session);
  } catch (const Error& error) {
    if (error.diagnostic().message.empty()) std::abort();
  }
  return 0;
}
