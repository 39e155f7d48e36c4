// SPDX-License-Identifier: Apache-2.0
#include "strata/scalar_text.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "strata/builder.hpp"

namespace strata {
namespace {

TEST(ScalarText, FloatsAreWrittenAsPythonWritesYaml) {
  // Each is repr() of Python's, with the point that YAML 1.1 asks for before an exponent.
  EXPECT_EQ(float_text(0.0), "0.0");
  EXPECT_EQ(float_text(-0.0), "-0.0");
  EXPECT_EQ(float_text(1.0), "1.0");
  EXPECT_EQ(float_text(-1.5), "-1.5");
  EXPECT_EQ(float_text(0.1), "0.1");
  EXPECT_EQ(float_text(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(float_text(100.0), "100.0");
  EXPECT_EQ(float_text(123456789.125), "123456789.125");
  EXPECT_EQ(float_text(0.0001), "0.0001");
  EXPECT_EQ(float_text(0.00001), "1.0e-05");
  EXPECT_EQ(float_text(0.000123), "0.000123");
  EXPECT_EQ(float_text(1.25e-7), "1.25e-07");
  EXPECT_EQ(float_text(1e15), "1000000000000000.0");
  EXPECT_EQ(float_text(9007199254740994.0), "9007199254740994.0");
  EXPECT_EQ(float_text(9999999999999998.0), "9999999999999998.0");
  EXPECT_EQ(float_text(1e16), "1.0e+16");
  EXPECT_EQ(float_text(1.5e300), "1.5e+300");
  EXPECT_EQ(float_text(1e22), "1.0e+22");
  EXPECT_EQ(float_text(5e-324), "5.0e-324");
  EXPECT_EQ(float_text(std::numeric_limits<double>::max()), "1.7976931348623157e+308");
  EXPECT_EQ(float_text(std::numeric_limits<double>::infinity()), ".inf");
  EXPECT_EQ(float_text(-std::numeric_limits<double>::infinity()), "-.inf");
  EXPECT_EQ(float_text(std::numeric_limits<double>::quiet_NaN()), ".nan");
}

TEST(ScalarText, DatesAndTimesAreIso8601) {
  EXPECT_EQ(date_text({.year = 7, .month = 1, .day = 2}), "0007-01-02");
  Timestamp when{.date = {.year = 2001, .month = 12, .day = 14}, .hour = 21, .minute = 59, .second = 43};
  EXPECT_EQ(timestamp_text(when), "2001-12-14T21:59:43");
  EXPECT_EQ(timestamp_text(when, ' '), "2001-12-14 21:59:43");
  when.microsecond = 100000;
  EXPECT_EQ(timestamp_text(when), "2001-12-14T21:59:43.100000");
  when.has_zone = true;
  EXPECT_EQ(timestamp_text(when), "2001-12-14T21:59:43.100000+00:00");
  when.zone_seconds = -(5 * 3600 + 30 * 60);
  EXPECT_EQ(timestamp_text(when), "2001-12-14T21:59:43.100000-05:30");
}

TEST(ScalarText, Base64IsPadded) {
  EXPECT_EQ(base64_encode(""), "");
  EXPECT_EQ(base64_encode("f"), "Zg==");
  EXPECT_EQ(base64_encode("fo"), "Zm8=");
  EXPECT_EQ(base64_encode("foo"), "Zm9v");
  EXPECT_EQ(base64_encode("\xFF\xFE\xFD"), "//79");
}

TEST(ScalarText, EveryKindHasASpelling) {
  Arena arena;
  EXPECT_EQ(scalar_text(Value()), "null");
  EXPECT_EQ(scalar_text(Value::null()), "null");
  EXPECT_EQ(scalar_text(Value::boolean(false)), "false");
  EXPECT_EQ(scalar_text(Value::integer(INT64_MIN)), "-9223372036854775808");
  EXPECT_EQ(scalar_text(arena.integer("123456789012345678901")), "123456789012345678901");
  MappingBuilder mapping(arena);
  SequenceBuilder list(arena);
  list.append(arena.text("x"));
  list.append(Value::integer(1));
  mapping.insert("k", list.finish());
  EXPECT_EQ(scalar_text(mapping.finish()), "{k: [x, 1]}");
}

}  // namespace
}  // namespace strata
