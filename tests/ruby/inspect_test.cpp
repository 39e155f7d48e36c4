// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <string_view>

#include "ruby/ruby.hpp"
#include "ruby/values.hpp"

namespace strata::ruby {
namespace {

// What is expected was printed by Ruby 3.1 and Puppet 7.23.

class Inspect : public WithValues {};

TEST(FloatText, AsRubyPrints) {
  const std::pair<double, std::string_view> cases[] = {
      {0.0, "0.0"},
      {-0.0, "-0.0"},
      {1.0, "1.0"},
      {1e5, "100000.0"},
      {0.0001, "0.0001"},
      {0.00001, "1.0e-05"},
      {1e-7, "1.0e-07"},
      {123456789012345.67, "123456789012345.67"},
      {999999999999999.0, "999999999999999.0"},
      {1e15, "1.0e+15"},
      {-1234567890123456.0, "-1.234567890123456e+15"},
      {1234567890123456.5, "1234567890123456.5"},
      {1e16, "1.0e+16"},
      {1.5e300, "1.5e+300"},
      {5e-324, "5.0e-324"},
      {std::numeric_limits<double>::infinity(), "Infinity"},
      {-std::numeric_limits<double>::infinity(), "-Infinity"},
      {std::numeric_limits<double>::quiet_NaN(), "NaN"},
  };
  for (const auto& [number, expected] : cases) EXPECT_EQ(float_text(number), expected);
}

TEST_F(Inspect, Texts) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", "\"\""},
      {"a", "\"a\""},
      {"\"\\", "\"\\\"\\\\\""},
      {"\n\t\r\014\013\010\007\033", "\"\\n\\t\\r\\f\\v\\b\\a\\e\""},
      {std::string_view("\000\001\037\177", 4), "\"\\u0000\\u0001\\u001F\\u007F\""},
      {"#{a} #$a #@a # #a #", "\"\\#{a} \\#$a \\#@a # #a #\""},
      {"é日", "\"é日\""},
      {"😀", "\"😀\""},
      {"\342\200\250\342\200\213\315\270", "\"\\u2028\342\200\213\\u0378\""},
      {"\364\217\277\277󠄀\363\240\200\202", "\"\\u{10FFFF}󠄀\\u{E0002}\""},
      {"\302\205\302\240\357\273\277", "\"\302\205\302\240\357\273\277\""},
  };
  for (const auto& [characters, expected] : cases) EXPECT_EQ(inspect(text(characters)), expected);
}

TEST_F(Inspect, Bytes) {
  EXPECT_EQ(inspect(binary("\xFF\xC3\xA9")), R"("\xFF\xC3\xA9")");
  EXPECT_EQ(inspect(binary("a\n\x01\x7F#{")), R"("a\n\x01\x7F\#{")");
}

TEST_F(Inspect, Containers) {
  const Value value = hash({{text("a"), Value::integer(1)},
                            {text("b"), list({text("x"), Value::null(), Value::boolean(true), Value::floating(1.5)})},
                            {Value::integer(2), hash({})},
                            {Value::null(), list({})},
                            {list({Value::integer(1)}), big("123456789012345678901234567890")}});
  constexpr std::string_view kExpected =
      R"({"a"=>1, "b"=>["x", nil, true, 1.5], 2=>{}, nil=>[], [1]=>123456789012345678901234567890})";
  EXPECT_EQ(inspect(value), kExpected);
  EXPECT_EQ(interpolated(value), kExpected);
  EXPECT_EQ(s(value), std::string(kExpected) + "\n");
}

TEST_F(Inspect, InterpolatedScalars) {
  EXPECT_EQ(interpolated(Value::null()), "");
  EXPECT_EQ(interpolated(Value::boolean(false)), "false");
  EXPECT_EQ(interpolated(Value::floating(1e17)), "1.0e+17");
  EXPECT_EQ(interpolated(text("a\"b")), "a\"b");
  EXPECT_EQ(interpolated(binary("\xFF")), "\xFF");
  EXPECT_EQ(interpolated(sensitive()), "Sensitive [value redacted]");
}

TEST_F(Inspect, AsPlainTextEndsItsLineOnce) {
  EXPECT_EQ(s(Value::null()), "\n");
  EXPECT_EQ(s(text("a")), "a\n");
  EXPECT_EQ(s(text("a\n")), "a\n");
  EXPECT_EQ(s(text("a\n\n")), "a\n\n");
  EXPECT_EQ(s(sensitive()), "Sensitive [value redacted]\n");
}

TEST_F(Inspect, Dump) {
  const Value value =
      hash({{text("a"),
             hash({{text("b"), list({Value::integer(1), hash({{text("c"), Value::null()}, {text("d"), list({})}})})},
                   {text("e"), hash({})}})},
            {Value::integer(1), Value::floating(2.5)},
            {text("f"), text("a\nb")}});
  std::string out = "Found key: ";
  append_dump(out, value, 4);
  EXPECT_EQ(out, R"(Found key: {
      "a" => {
        "b" => [
          1,
          {
            "c" => nil,
            "d" => []
          }
        ],
        "e" => {}
      },
      1 => 2.5,
      "f" => "a\nb"
    })");
}

TEST_F(Inspect, DumpOfLeaves) {
  const auto dumped = [](const Value& value) {
    std::string out;
    append_dump(out, value, 2);
    return out;
  };
  EXPECT_EQ(dumped(Value::null()), "nil");
  EXPECT_EQ(dumped(list({})), "[]");
  EXPECT_EQ(dumped(hash({})), "{}");
  EXPECT_EQ(dumped(text("x")), "\"x\"");
}

TEST_F(Inspect, DeepValues) {
  constexpr std::size_t kDepth = 5000;
  EXPECT_EQ(inspect(nested(kDepth)).size(), 2 * kDepth + 2);
}

}  // namespace
}  // namespace strata::ruby
