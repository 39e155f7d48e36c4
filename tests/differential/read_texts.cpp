// SPDX-License-Identifier: Apache-2.0
// Reads texts for another reader to check. Standard input: a line a text, `MODE HEX`, where MODE is `json`, `base64` or
// `utf8`; standard output: a line a text, what came out of it. text_readers.py drives it.
#include <cstdio>
#include <iostream>
#include <string>

#include "strata/error.hpp"
#include "strata/text.hpp"
#include "support/hex.hpp"

namespace strata {
namespace {

/// JSON again, or the place of the error.
std::string read_json_text(std::string bytes) {
  Sources sources;
  try {
    const text::Document document = text::read_json(sources, sources.add("f", std::move(bytes)), {});
    return "ok " + text::write_json(document.root, {.indent = -1});
  } catch (const Error& error) {
    return error.code() + " " + error.diagnostic().where.place.to_string() + "\n";
  }
}

std::string answer(std::string_view mode, const std::string& bytes) {
  if (mode == "json") return read_json_text(bytes);
  if (mode == "utf8") {
    const std::size_t offset = text::find_invalid_utf8(bytes);
    return (offset == std::string_view::npos ? "ok" : std::to_string(offset)) + "\n";
  }
  const std::optional<std::string> decoded = text::decode_base64(bytes);
  return decoded ? "ok " + testing::to_hex(*decoded) + "\n" : "error\n";
}

}  // namespace
}  // namespace strata

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t blank = line.find(' ');
    const std::string out = strata::answer(std::string_view(line).substr(0, blank),
                                           strata::testing::from_hex(std::string_view(line).substr(blank + 1)));
    std::fwrite(out.data(), 1, out.size(), stdout);
  }
}
