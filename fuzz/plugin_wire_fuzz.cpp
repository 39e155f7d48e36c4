// SPDX-License-Identifier: Apache-2.0
// Reads arbitrary bytes as a message of a plugin's process. Either an error comes out, or values that are written to
// the same bytes again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "plugin/wire.hpp"
#include "strata/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace strata;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Limits limits;
  limits.depth = 100;
  limits.result = 100'000;
  Arena arena;
  try {
    const auto parts = plugin::decode(bytes, arena, limits);
    const std::string written = plugin::encode(parts);
    if (plugin::size_of(written) != written.size() - plugin::kHead) std::abort();
    const auto again = plugin::decode(std::string_view(written).substr(plugin::kHead), arena, limits);
    if (again.size() != parts.size()) std::abort();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (again[i].kind() != parts[i].kind() || (parts[i] && !identical(again[i], parts[i]))) std::abort();
    }
  } catch (const Error& error) {
    if (error.code() != "plugin.protocol" && !error.code().starts_with("limit.")) std::abort();
  }
  return 0;
}
