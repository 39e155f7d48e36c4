// SPDX-License-Identifier: Apache-2.0
// Reads arbitrary bytes as YAML with the scanner and with libyaml alone: values, places and errors are the same,
// whatever the profile and the limits. The first two bytes choose profile and limits.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "../tests/text/compare_yaml_readings.hpp"
#include "text/yaml/profile.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace strata;
  if (size < 2) return 0;
  const text::Profile& profile =
      *text::find_profile(text::testing::kProfiles[data[0] % text::testing::kProfiles.size()]);
  Limits limits;
  limits.depth = (data[1] & 1U) != 0 ? 3 : 100;
  limits.aliases = (data[1] & 2U) != 0 ? 5 : 2000;
  limits.input = (data[1] & 4U) != 0 ? 64 : std::size_t{1} << 20U;
  const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  const std::string difference = text::testing::difference_of_readings(text, profile, limits);
  if (difference.empty()) return 0;
  std::fprintf(stderr, "%s\n", difference.c_str());
  std::abort();
}
