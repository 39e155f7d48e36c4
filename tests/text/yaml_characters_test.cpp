// SPDX-License-Identifier: Apache-2.0
// Classes of characters and the search for them: both forms give the same.
#include "text/yaml/characters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>

#include "strata/text.hpp"

namespace strata::text {
namespace {

TEST(YamlCharacters, AreCheckedAlikeInBothForms) {
  // Each code point, and each sequence of two and three bytes that begins like one, at each place of a block.
  const auto check = [](std::string_view character, bool is_usual) {
    for (std::size_t before = 0; before < 20; ++before) {
      const std::string text = std::string(before, 'a') + std::string(character) + std::string(20 - before, 'b');
      ASSERT_EQ(yaml_characters::are_usual(text), is_usual) << before;
      ASSERT_EQ(yaml_characters::are_usual_by_words(text), is_usual) << before;
    }
    ASSERT_EQ(yaml_characters::are_usual(character), is_usual);
    ASSERT_EQ(yaml_characters::are_usual_by_words(character), is_usual);
  };
  for (char32_t code = 0; code <= 0x10FFFF;
       code += code < 0x3000 || code > 0xD000 ? (code > 0x11000 ? 0x0FFF : 1) : 0x101) {
    std::string character;
    if (code >= 0xD800 && code <= 0xDFFF) {
      character = {'\xED', static_cast<char>(0x80U | (code >> 6U & 0x3FU)), static_cast<char>(0x80U | (code & 0x3FU))};
    } else {
      append_utf8(character, code);
    }
    const bool is_usual = code == '\t' || code == '\n' || (code >= ' ' && code <= '~') ||
                          (code >= 0xA0 && code != 0x2028 && code != 0x2029 && code != 0xFEFF && code != 0xFFFE &&
                           code != 0xFFFF && (code < 0xD800 || code > 0xDFFF));
    ASSERT_NO_FATAL_FAILURE(check(character, is_usual)) << static_cast<std::uint32_t>(code);
  }
  for (const std::string_view text :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xC3", "\xC3\x28", "\xE0\x80\x80", "\xE0\x9F\xBF", "\xE1\x80",
        "\xE1\x80\x28", "\xF0\x8F\xBF\xBF", "\xF0\x90\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xFE"}) {
    ASSERT_NO_FATAL_FAILURE(check(text, false)) << text;
  }
}

TEST(YamlCharacters, AreFoundAlikeInBothForms) {
  std::mt19937 random(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string text(random() % 70, ' ');
    for (char& c : text) c = random() % 16 == 0 ? "\n:#,"[random() % 4] : static_cast<char>(random() % 256);
    const char* const begin = text.data();
    const char* const end = begin + text.size();
    const std::size_t expected = std::min(text.find_first_of("\n:#"), text.size());
    ASSERT_EQ(static_cast<std::size_t>((yaml_characters::find_first<'\n', ':', '#'>(begin, end) - begin)), expected);
    ASSERT_EQ(static_cast<std::size_t>(
                  (yaml_characters::find_first_by<yaml_characters::WordBlock, '\n', ':', '#'>(begin, end) - begin)),
              expected);
  }
}

}  // namespace
}  // namespace strata::text
