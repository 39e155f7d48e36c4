// SPDX-License-Identifier: Apache-2.0
// Searches texts for patterns of Python's, for Python to check. Standard input: a line a case, `HEX HEX`, the pattern
// and the text; standard output: a line a case: `error CODE`, `none`, or the spans of all groups in bytes (`0-3 1-2
// -`). python_patterns.py drives it.
#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <string>

#include "strata/error.hpp"
#include "support/hex.hpp"
#include "text/regex/regex.hpp"

namespace strata {
namespace {

std::string answer(const std::string& pattern, const std::string& text) {
  try {
    const auto match = text::Regex(pattern, text::Regex::Syntax::python).find(text);
    if (!match) return "none\n";
    std::string out;
    for (const auto& group : match->groups) out += group ? fmt::format("{}-{} ", group->begin, group->end) : "- ";
    out.back() = '\n';
    return out;
  } catch (const Error& error) {
    return "error " + error.code() + "\n";
  }
}

}  // namespace
}  // namespace strata

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t blank = line.find(' ');
    const std::string out = strata::answer(strata::testing::from_hex(std::string_view(line).substr(0, blank)),
                                           strata::testing::from_hex(std::string_view(line).substr(blank + 1)));
    std::fwrite(out.data(), 1, out.size(), stdout);
  }
}
