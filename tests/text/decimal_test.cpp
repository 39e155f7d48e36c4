// SPDX-License-Identifier: Apache-2.0
// Digits to floats, at the edges of what a double holds.
#include "text/decimal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace strata::text {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Decimal, ReadsTheNearestDouble) {
  EXPECT_EQ(parse_decimal("0.1"), 0.1);
  EXPECT_EQ(parse_decimal("-1.5e3"), -1500.0);
  EXPECT_EQ(parse_decimal(".5"), 0.5);
  EXPECT_EQ(parse_decimal("5."), 5.0);
  EXPECT_EQ(parse_decimal("4.9406564584124654e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_TRUE(std::signbit(*parse_decimal("-0.0")));
}

TEST(Decimal, TellsTooLargeFromTooSmall) {
  EXPECT_EQ(parse_decimal("1e309"), kInfinity);
  EXPECT_EQ(parse_decimal("-" + std::string(401, '1')), -kInfinity);
  EXPECT_EQ(parse_decimal(std::string(800, '1') + "e-10"), kInfinity);
  EXPECT_EQ(parse_decimal("0." + std::string(400, '0') + "1"), 0.0);
  EXPECT_EQ(parse_decimal("0." + std::string(400, '0') + "1e10"), 0.0);
  EXPECT_EQ(parse_decimal("1e-99999999999999999999"), 0.0);
  EXPECT_EQ(parse_decimal("1e99999999999999999999"), kInfinity);
  EXPECT_EQ(parse_decimal("0e99999"), 0.0);
}

TEST(Decimal, RefusesWhatIsNoDigits) {
  for (const char* text : {"", "-", "--1", "-+1", "+1", "inf", "nan", "-inf", "1,5", "1 ", "0x1", "."})
    EXPECT_FALSE(parse_decimal(text)) << text;
  for (const char* text : {"", "-1", "0x1", "g", "1.8", "1p3"}) EXPECT_FALSE(parse_hexadecimal(text)) << text;
  EXPECT_EQ(parse_hexadecimal("fF"), 255.0);
}

}  // namespace
}  // namespace strata::text
