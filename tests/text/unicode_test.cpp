// SPDX-License-Identifier: Apache-2.0
// The classes and cases of all code points are those of Python 3.11 (Unicode 14): counts and FNV-1a hashes that it
// gave, for example [c for c in range(0x110000) if chr(c).isalpha()] without surrogates; of mappings, each code point
// that changes and what it becomes.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/code_points.hpp"
#include "text/unicode/characters.hpp"

namespace strata::text::unicode {
namespace {

using strata::testing::changed;
using strata::testing::Digest;
using strata::testing::digest_of;
using strata::testing::digest_where;

TEST(UnicodeProperties, AreTheReferences) {
  EXPECT_EQ(digest_where(is_alpha), (Digest{131756, 0x86994FC311EF485F}));
  EXPECT_EQ(digest_where(is_alnum), (Digest{133547, 0x4C0594BC899C3075}));
  EXPECT_EQ(digest_where(is_upper), (Digest{1951, 0x98885ADEADEABCF9}));
  EXPECT_EQ(digest_where(is_lower), (Digest{2471, 0x35575F411BA08EF2}));
  EXPECT_EQ(digest_where(is_printable), (Digest{144516, 0x8E68B29E69866937}));
  EXPECT_EQ(digest_where(is_space), (Digest{29, 0xE01483C03D9600D5}));
}

TEST(UnicodeProperties, KnowTheDigitsOfAllScripts) {
  std::vector<char32_t> digits;
  strata::testing::each_code_point([&](char32_t point) {
    if (const auto value = decimal_digit(point)) digits.insert(digits.end(), {point, *value});
  });
  EXPECT_EQ(digest_of(digits), (Digest{1320, 0x428283F5923C14CD}));
}

TEST(UnicodeCases, AreTheReferences) {
  EXPECT_EQ(digest_of(changed([](std::string_view one) { return upper(one); })), (Digest{3168, 0x12AF89D9BE9531E8}));
  EXPECT_EQ(digest_of(changed([](std::string_view one) { return lower(one); })), (Digest{2867, 0xAC3DAC2D9B5259B4}));
  EXPECT_EQ(digest_of(changed([](std::string_view one) { return title(one); })), (Digest{2968, 0xC922DBF090C52CD0}));
  EXPECT_EQ(digest_of(changed([](std::string_view one) { return casefold(one); })), (Digest{3180, 0xFA7CDD28E329DC96}));
  EXPECT_EQ(digest_of(changed([](std::string_view one) { return swapcase(one); })), (Digest{5884, 0xE99FC18A4227DF3D}));
}

TEST(UnicodeCases, MayBeSeveralCharacters) {
  EXPECT_EQ(upper("straße"), "STRASSE");
  EXPECT_EQ(title("ßa"), "Ssa");
  EXPECT_EQ(lower("İ"), "i\u0307");
  EXPECT_EQ(casefold("ﬃ"), "ffi");
  EXPECT_EQ(lower("ΟΔΟΣ"), "οδος");
  EXPECT_EQ(swapcase("ǅ"), "ǅ");
}

}  // namespace
}  // namespace strata::text::unicode
