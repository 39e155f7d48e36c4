// SPDX-License-Identifier: Apache-2.0
// Reads arbitrary bytes as YAML with YamlScanner and with libyaml: the scanner gives libyaml's events, or leaves the
// text.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "../tests/text/compare_yaml_events.hpp"
#include "text/yaml/characters.hpp"

namespace {

[[noreturn]] void fail(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::abort();
}

/// In a buffer of exactly the size that the scanner may read.
bool is_taken_from_exact_buffer(std::string_view text) {
  const auto buffer = std::make_unique<char[]>(text.size() + 1);
  std::copy(text.begin(), text.end(), buffer.get());
  return !strata::text::testing::read_with_scanner({buffer.get(), text.size()}).has_bailed;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace strata::text;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (yaml_characters::are_usual(text) != yaml_characters::are_usual_by_words(text))
    fail("the two checks of characters differ");
  const bool has_mark = text.starts_with("\xEF\xBB\xBF");
  const bool is_taken = is_taken_from_exact_buffer(std::string_view(text).substr(has_mark ? 3 : 0));
  const testing::Comparison result = testing::compare_events(text);
  if (!result.difference.empty()) fail(result.difference);
  if (result.is_taken != is_taken) fail("the scanner takes a text in one buffer only");
  if (result.is_taken && !result.is_valid) fail("the scanner takes a text that libyaml rejects");
  return 0;
}
