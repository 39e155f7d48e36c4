// SPDX-License-Identifier: Apache-2.0
// Reads arbitrary bytes as HOCON. Either an error comes out, or a mapping within the limits.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "strata/error.hpp"
#include "strata/text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace strata;
  const Limits limits{.depth = 100, .input = std::size_t{1} << 20U, .aliases = 2000, .steps = 100'000};
  Sources sources;
  try {
    const text::Document document =
        text::read_hocon(sources, sources.add("f", std::string(reinterpret_cast<const char*>(data), size)), limits);
    if (!document.root.is_mapping() || document.nodes > limits.aliases) std::abort();
  } catch (const Error& error) {
    if (error.diagnostic().message.empty() ||
        !(error.code().starts_with("hocon.") || error.code().starts_with("limit.")))
      std::abort();
  }
  return 0;
}
