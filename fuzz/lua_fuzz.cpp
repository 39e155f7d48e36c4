// SPDX-License-Identifier: Apache-2.0
// Applies arbitrary text, as a custom merger in Lua, to two fixed parts.
#include <cstddef>
#include <cstdint>
#include <string>

#include "strata/cloudinit.hpp"
#include "strata/text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace strata;
  const Limits limits{.depth = 50, .result = 10'000, .steps = 20'000};
  Session session(Snapshot::make(Engine::make({.file_cache = 0}), memory_tree({})),
                  {.limits = limits, .keeps_history = true});
  cloudinit::Request request;
  request.user_data = {
      {.name = "a",
       .bytes = "#cloud-config\nusers: [default, {name: ann, n: 1.0}]\nm: {1: x, 2001-12-14: null}\ns: text\n"},
      {.name = "b",
       .bytes =
           "#cloud-config\nusers: [{name: ann, n: 1}, !!binary aGk=]\nm: {1: y, ~: {}}\ns: more\nt: !!set {a, b}\n"}};
  request.strategy = "mine(a,b)+dict(recurse_list,recurse_str)+list(append)+str(append)";
  try {
    const SourceId source = session.sources().add("mine.lua", std::string(reinterpret_cast<const char*>(data), size));
    request.mergers = {cloudinit::lua_merger("mine", source, session)};
    const auto result = cloudinit::merge(request, session);
    // What came of it can be written, and every history told.
    (void)text::write_yaml(result.config.value);
    (void)session.recorder().history()->explain(result.config);
  } catch (const Error&) {
  }
  return 0;
}
