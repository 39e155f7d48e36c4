// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "strata/text.hpp"

namespace strata::text {
namespace {

TEST(FindInvalidUtf8, ValidTexts) {
  for (const std::string_view text :
       {"", "abc", "é", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF", "\xED\x9F\xBF", "\xEE\x80\x80"}) {
    EXPECT_EQ(find_invalid_utf8(text), std::string_view::npos) << text;
  }
}

TEST(FindInvalidUtf8, OffsetOfTheFirstBadByte) {
  const std::vector<std::pair<std::string, std::size_t>> cases = {
      {"\x80", 0},
      {"a\xC0\x80", 1},
      {"ab\xC1\xBF", 2},
      {"\xE0\x9F\xBF", 0},
      {"\xED\xA0\x80", 0},
      {"\xF0\x8F\xBF\xBF", 0},
      {"\xF4\x90\x80\x80", 0},
      {"\xF5", 0},
      {"\xFF", 0},
      {"é\xE2\x82", 2},
      {"é\xE2\x82"
       "A",
       2},
      {"\xF0\x9F\x98", 0},
      {"\xC3", 0},
  };
  for (const auto& [text, offset] : cases) {
    EXPECT_EQ(find_invalid_utf8(text), offset);
    // Far into a long text, where the fast path is taken, and with more behind it.
    for (const std::size_t before : {7U, 8U, 63U, 200U}) {
      EXPECT_EQ(find_invalid_utf8(std::string(before, 'x') + text), before + offset);
      EXPECT_EQ(find_invalid_utf8("é" + std::string(before, 'x') + text + std::string(300, 'y')), before + 2 + offset);
    }
  }
}

// Short texts are read character by character, long ones by an automaton: both must say the same of every sequence.
TEST(FindInvalidUtf8, LongTextsAreReadAsShortOnes) {
  const std::string some =
      "\x01\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xDF\xE0\xE1\xEC\xED\xEE\xEF\xF0\xF1\xF3\xF4\xF5\xFF";
  const std::string before = "é" + std::string(13, 'x');
  const std::string behind(300, 'y');
  for (const char first : some) {
    for (const char second : some) {
      for (const char third : some) {
        for (const char fourth : some) {
          const std::string text{first, second, third, fourth};
          const std::size_t offset = find_invalid_utf8(text);
          const std::size_t expected = offset == std::string_view::npos ? offset : before.size() + offset;
          ASSERT_EQ(find_invalid_utf8(before + text + behind), expected)
              << static_cast<int>(first) << ' ' << static_cast<int>(second);
        }
      }
    }
  }
}

}  // namespace
}  // namespace strata::text
