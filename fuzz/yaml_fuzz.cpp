// SPDX-License-Identifier: Apache-2.0
// Reads arbitrary bytes as YAML under each profile. What is read, written and read again is the same.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "strata/error.hpp"
#include "strata/text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace strata;
  const Limits limits{.depth = 100, .input = std::size_t{1} << 20, .aliases = 2000};
  for (const text::Profile* profile : std::array{&text::pyyaml(), &text::core12(), &text::psych()}) {
    Sources sources;
    text::Document document;
    try {
      document = text::read_yaml(sources, sources.add("f", std::string(reinterpret_cast<const char*>(data), size)),
                                 *profile, limits);
    } catch (const Error& error) {
      if (error.diagnostic().message.empty() || error.code().empty()) std::abort();
      continue;
    }
    if (!document.root) continue;
    const std::string written = text::write_yaml(document.root, {.profile = profile});
    // What was written must be readable: an Error ends the program here.
    const text::Document again = text::read_yaml(sources, sources.add("written", written), *profile, {});
    if (!identical(document.root, again.root)) std::abort();
  }
  return 0;
}
