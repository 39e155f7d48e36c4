// SPDX-License-Identifier: Apache-2.0
// The classes and cases of all code points are those of Ruby 3.1 (Unicode 13): counts and FNV-1a hashes that it gave.
// Printable is what `inspect` leaves alone, quotes and backslashes aside; word is /[[:word:]]/; of cases, each code
// point that changes and what it becomes.
#include "ruby/unicode.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>

#include "ruby/text.hpp"
#include "support/code_points.hpp"

namespace strata::ruby {
namespace {

using testing::changed;
using testing::Digest;
using testing::digest_of;
using testing::digest_where;

TEST(RubyUnicode, ClassesAreTheReferences) {
  EXPECT_EQ(digest_where(is_printable), (Digest{281326, 0x27049E1985849A35}));
  EXPECT_EQ(digest_where(is_word), (Digest{134562, 0x0989658A7EC49251}));
}

TEST(RubyUnicode, CasesAreTheReferences) {
  EXPECT_EQ(digest_of(changed(upcase)), (Digest{3088, 0xFDB0FCCF64368367}));
  EXPECT_EQ(digest_of(changed(downcase)), (Digest{2787, 0x5678B22F45B6C973}));
  EXPECT_EQ(digest_of(changed(capitalize)), (Digest{2980, 0xEE6A313A7488DA37}));
}

TEST(RubyNumbers, AreFloatsOfAnySize) {
  EXPECT_EQ(parse_float(" -1_0.5e1 "), -105.0);
  EXPECT_EQ(parse_float("0x1F"), 31.0);
  EXPECT_EQ(parse_float("0x" + std::string(300, 'f')), std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_float("-1e400"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_float("1e-400"), 0.0);
  EXPECT_EQ(parse_float("1.e5"), std::nullopt);
}

}  // namespace
}  // namespace strata::ruby
