// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <string_view>

#include "ruby/ruby.hpp"
#include "ruby/values.hpp"
#include "strata/error.hpp"

namespace strata::ruby {
namespace {

class RubyJson : public WithValues {
 protected:
  static std::string error_of(const Value& value) {
    try {
      return "no error: " + json(value);
    } catch (const Error& error) {
      EXPECT_FALSE(error.diagnostic().hint.empty());
      return error.code() + ": " + error.what();
    }
  }
};

TEST_F(RubyJson, OneLine) {
  const Value value =
      hash({{text("a"), list({Value::integer(1), Value::null(), Value::boolean(false), hash({}), list({})})},
            {text("b"), hash({{text("c"), Value::floating(1e-5)}, {text("d"), Value::floating(1e16)}})},
            {text("e"), big("123456789012345678901234567890")}});
  EXPECT_EQ(json(value),
            R"({"a":[1,null,false,{},[]],"b":{"c":1.0e-05,"d":1.0e+16},"e":123456789012345678901234567890})"
            "\n");
  EXPECT_EQ(json(Value::null()), "null\n");
}

TEST_F(RubyJson, OnlyWhatMustBeEscapedIs) {
  EXPECT_EQ(json(text("\x01\x1F\x7F\b\f\n\r\t\"\\/<\u2028\U0001F600")),
            "\"\\u0001\\u001f\x7F\\b\\f\\n\\r\\t\\\"\\\\/<\u2028\U0001F600\"\n");
}

TEST_F(RubyJson, KeysBecomeText) {
  const Value one = Value::integer(1);
  const Value value = hash({{Value::null(), one},
                            {Value::boolean(true), one},
                            {Value::floating(1.0), one},
                            {Value::floating(std::numeric_limits<double>::infinity()), one},
                            {list({text("a")}), one},
                            {Value::integer(1), one},
                            {text("1"), one}});
  EXPECT_EQ(json(value), R"({"":1,"true":1,"1.0":1,"Infinity":1,"[\"a\"]":1,"1":1,"1":1})"
                         "\n");
}

TEST_F(RubyJson, Objects) { EXPECT_EQ(json(list({sensitive()})), "[\"Sensitive [value redacted]\"]\n"); }

TEST_F(RubyJson, BytesAreTextWhereTheyAreUtf8) {
  EXPECT_EQ(json(binary("\xC3\xA9")), "\"\xC3\xA9\"\n");
  EXPECT_EQ(error_of(list({binary("\xFF")})), "json.not-utf8: bytes at /0 that are not UTF-8 have no JSON form");
  EXPECT_EQ(error_of(hash({{binary("\xFF"), Value::null()}})).substr(0, 13), "json.not-utf8");
}

TEST_F(RubyJson, NotFinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(error_of(Value::floating(-infinity)), "json.not-finite: -Infinity at the top has no JSON form");
  EXPECT_EQ(error_of(hash({{text("a"), list({Value::null(), Value::floating(infinity)})}})),
            "json.not-finite: Infinity at /a/1 has no JSON form");
  EXPECT_EQ(error_of(list({Value::floating(std::numeric_limits<double>::quiet_NaN())})),
            "json.not-finite: NaN at /0 has no JSON form");
}

TEST_F(RubyJson, DeepValues) {
  constexpr std::size_t kDepth = 5000;
  EXPECT_EQ(json(nested(kDepth)).size(), 2 * kDepth + 3);
}

}  // namespace
}  // namespace strata::ruby
