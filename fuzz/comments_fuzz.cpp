// SPDX-License-Identifier: Apache-2.0
// Finds the comments of arbitrary texts, and what they allow. Comments mean nothing: with other texts in them, a text
// reads as before. The first byte chooses the syntax and the profile.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "../tests/text/comments_mistake.hpp"
#include "../tests/text/compare_yaml_readings.hpp"
#include "analysis/allow.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace strata;
  using text::testing::Commented;
  if (size < 1) return 0;
  const Limits limits{.depth = 100, .input = std::size_t{1} << 20U, .aliases = 2000};
  const auto syntax = static_cast<Commented>(data[0] % 3);
  const text::Profile& profile =
      *text::find_profile(text::testing::kProfiles[data[0] / 3 % text::testing::kProfiles.size()]);
  const std::string input(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    const std::string mistake = text::testing::comments_mistake(input, syntax, profile, limits);
    if (!mistake.empty()) {
      std::fprintf(stderr, "%s\n", mistake.c_str());
      std::abort();
    }
  } catch (const Error&) {
    // It cannot be read.
  }
  for (const char* name : {"f.yaml", "f.json", "f.conf", "f.pp"}) {
    try {
      const analysis::Allows allows(name, input, analysis::form_by_name(name), limits);
      for (std::uint32_t line = 1; line < 9; ++line) {
        for (const std::size_t number : allows.allowing("typo", analysis::LinePlace{.line = line, .column = line})) {
          if (number >= allows.all().size() || allows.all()[number].reason.empty()) std::abort();
        }
      }
    } catch (const Error&) {
      // It cannot be read.
    }
  }
  return 0;
}
