// SPDX-License-Identifier: Apache-2.0
// `escaped`, as for terminals, and the same in pieces.
#include "strata/shown_text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace strata {
namespace {

TEST(ShownText, EscapesControlCharactersOfBothSets) {
  EXPECT_EQ(escaped("a\tb\nc"), "a\tb\nc");
  EXPECT_EQ(escaped("\x1b[2J\r\x7f"), "\\x1b[2J\\x0d\\x7f");
  EXPECT_EQ(escaped("\xC2\x80\xC2\x9B\xC2\x9F\xC2\xA0"), "\\x80\\x9b\\x9f\xC2\xA0");
  EXPECT_EQ(escaped(std::string_view("\0", 1)), "\\x00");
}

TEST(ShownText, EscapesBytesThatAreNotUtf8) {
  EXPECT_EQ(escaped("\x9b\x31m"), "\\x9b1m");
  EXPECT_EQ(escaped("\xff"), "\\xff");
  EXPECT_EQ(escaped("\xC0\x9B"), "\\xc0\\x9b");           // Not the shortest form.
  EXPECT_EQ(escaped("\xED\xA0\x80"), "\\xed\\xa0\\x80");  // Half of a pair.
  EXPECT_EQ(escaped("\xF4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(escaped("\xE2\x82"), "\\xe2\\x82");  // The end is missing.
  EXPECT_EQ(escaped("\xE2\x82\xAC \xF0\x9F\x98\x80"), "\xE2\x82\xAC \xF0\x9F\x98\x80");
}

TEST(ShownText, PiecesMayEndWithinACharacter) {
  const std::string text = "\xE2\x82\xAC\xC2\x9B\xF0\x9F\x98\x80\xff\x1b\xE2\x82";
  for (std::size_t size = 1; size <= text.size(); ++size) {
    Escaper escaper;
    std::string out;
    for (std::size_t at = 0; at < text.size(); at += size) out += escaper.add(std::string_view(text).substr(at, size));
    out += escaper.finish();
    EXPECT_EQ(out, escaped(text)) << size;
  }
}

}  // namespace
}  // namespace strata
