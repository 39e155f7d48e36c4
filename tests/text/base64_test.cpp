// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "strata/text.hpp"

namespace strata::text {
namespace {

using Bytes = std::optional<std::string>;

TEST(DecodeBase64, Plain) {
  EXPECT_EQ(decode_base64(""), Bytes(""));
  EXPECT_EQ(decode_base64("aGVsbG8="), Bytes("hello"));
  EXPECT_EQ(decode_base64("aGVs\nbG8h\n"), Bytes("hello!"));
  EXPECT_EQ(decode_base64("+/+/"), Bytes("\xFB\xFF\xBF"));
}

TEST(DecodeBase64, SkipsWhatIsNoBase64) {
  EXPECT_EQ(decode_base64("a-G.V_s\xC3\xA9"), Bytes("hel"));
  EXPECT_EQ(decode_base64("=aGVs"), Bytes("hel"));
  EXPECT_EQ(decode_base64("a=GVs"), Bytes("hel"));
  EXPECT_EQ(decode_base64("===="), Bytes(""));
}

TEST(DecodeBase64, StopsAtTheEndOfThePadding) {
  EXPECT_EQ(decode_base64("aGVsbG8=aGVs"), Bytes("hello"));
  EXPECT_EQ(decode_base64("aA==aA=="), Bytes("h"));
  EXPECT_EQ(decode_base64("aA=A"), std::nullopt);
}

TEST(DecodeBase64, FailsWithoutPadding) {
  EXPECT_EQ(decode_base64("a"), std::nullopt);
  EXPECT_EQ(decode_base64("aG"), std::nullopt);
  EXPECT_EQ(decode_base64("aGV"), std::nullopt);
  EXPECT_EQ(decode_base64("aG="), std::nullopt);
}

}  // namespace
}  // namespace strata::text
