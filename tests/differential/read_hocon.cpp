// SPDX-License-Identifier: Apache-2.0
// Reads HOCON texts for the hocon gem to check. Standard input: a line a text, in hexadecimal digits; standard output:
// a line a text, `ok JSON` or the code of the error. hocon.py drives it.
#include <cstdio>
#include <iostream>
#include <string>

#include "strata/error.hpp"
#include "strata/text.hpp"
#include "support/hex.hpp"

namespace {

std::string answer(std::string text) {
  strata::Sources sources;
  try {
    return "ok " + strata::text::write_json(
                       strata::text::read_hocon(sources, sources.add("f", std::move(text)), {}).root, {.indent = -1});
  } catch (const strata::Error& error) {
    return error.code() + "\n";
  }
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::fputs(answer(strata::testing::from_hex(line)).c_str(), stdout);
  }
}
