// SPDX-License-Identifier: Apache-2.0
// Searches a text for a pattern: the first line of the input, and the rest of it. Only errors of strata come out, and
// matches lie within the text.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "strata/error.hpp"
#include "text/regex/regex.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using strata::text::Regex;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t line = std::min(input.find('\n'), input.size());
  // Long enough for the program that long strings run, which has checkpoints.
  const std::string_view text = input.substr(std::min(line + 1, input.size())).substr(0, 2000);
  for (const Regex::Syntax syntax : {Regex::Syntax::ruby, Regex::Syntax::python}) {
    try {
      const Regex regex(input.substr(0, line), syntax);
      const auto match = regex.find(text);
      if (!match) continue;
      if (match->groups.size() != regex.groups() + 1) std::abort();
      for (const auto& group : match->groups) {
        if (group && (group->begin > group->end || group->end > text.size())) std::abort();
      }
    } catch (const strata::Error& error) {
      if (error.code() != "regex.syntax" && error.code() != "limit.regex") std::abort();
    }
  }
  return 0;
}
