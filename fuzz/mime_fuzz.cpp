// SPDX-License-Identifier: Apache-2.0
// Flattens arbitrary bytes as one blob. Includes find nothing but the blob itself.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "cloudinit/parts/flattener.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace strata;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const Limits limits{
      .depth = 100, .input = std::size_t{1} << 22, .aliases = 10'000, .include_depth = 10, .includes = 50};
  Session session(
      Snapshot::make(Engine::make({.file_cache = 0}), memory_tree({{"a", text}, {"b", "#cloud-config\nb: 1\n"}})),
      {.limits = limits});
  Sources& sources = session.sources();
  cloudinit::Flattener flattener(session, nullptr);
  try {
    const std::array blobs = {sources.add("a", text)};
    for (const cloudinit::Part& part : flattener.flatten(blobs)) {
      // Every part has a place, and every byte of it, too.
      const std::size_t end = sources.text(part.source).size();
      (void)sources.place(sources.at(part.source, 0));
      (void)sources.place(sources.at(part.source, end));
      (void)sources.line_of(sources.at(part.source, end / 2));
    }
  } catch (const Error&) {
  }
  return 0;
}
