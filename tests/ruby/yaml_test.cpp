// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <string_view>

#include "ruby/ruby.hpp"
#include "ruby/values.hpp"

namespace strata::ruby {
namespace {

// What is expected was printed by Psych 4.

class RubyYaml : public WithValues {};

TEST_F(RubyYaml, Texts) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"hello", "--- hello\n"},
      {"", "--- ''\n"},
      {"y", "--- \"y\"\n"},
      {"no", "--- 'no'\n"},
      {"Off", "--- 'Off'\n"},
      {"~", "--- \"~\"\n"},
      {"null", "--- 'null'\n"},
      {"12", "--- '12'\n"},
      {"1_000", "--- '1_000'\n"},
      {"1,000", "--- '1,000'\n"},
      {"0x1F", "--- '0x1F'\n"},
      {"010", "--- '010'\n"},
      {"08x", "--- '08x'\n"},
      {"1.5", "--- '1.5'\n"},
      {"1e3", "--- 1e3\n"},
      {"1:30", "--- '1:30'\n"},
      {"1:60", "--- 1:60\n"},
      {"12:30:45.5", "--- '12:30:45.5'\n"},
      {"2024-01-02", "--- '2024-01-02'\n"},
      {"2024-02-30", "--- 2024-02-30\n"},
      {"1582-10-10", "--- 1582-10-10\n"},
      {"2024-01-02 03:04:05", "--- '2024-01-02 03:04:05'\n"},
      {"2024-01-02 03:04:05 +24:00", "--- 2024-01-02 03:04:05 +24:00\n"},
      {".5", "--- \".5\"\n"},
      {"-", "--- \"-\"\n"},
      {"- a", "--- \"- a\"\n"},
      {"-a", "--- \"-a\"\n"},
      {"a: b", "--- 'a: b'\n"},
      {"a:b", "--- a:b\n"},
      {"a #b", "--- 'a #b'\n"},
      {":a", "--- \":a\"\n"},
      {":\"a", "--- ':\"a'\n"},
      {"@a", "--- \"@a\"\n"},
      {"%a", "--- \"%a\"\n"},
      {"<<", "--- !!str '<<'\n"},
      {"=", "--- \"=\"\n"},
      {"'a'", "--- \"'a'\"\n"},
      {"a'b", "--- a'b\n"},
      {"a\"b", "--- a\"b\n"},
      {"\"a", "--- \"\\\"a\"\n"},
      {"é", "--- é\n"},
      {"😀", "--- \"\\U0001F600\"\n"},
      {"a😀", "--- \"a\\U0001F600\"\n"},
      {"a\342\200\250b", "--- 'a\342\200\250  b'\n"},
      {"\357\273\277a", "--- \"\\uFEFFa\"\n"},
      {" a", "--- \" a\"\n"},
      {"a ", "--- 'a '\n"},
      {"a\n", "--- 'a\n\n  '\n"},
      {"a\n\n", "--- \"a\\n\\n\"\n"},
      {"no\n", "--- 'no\n\n  '\n"},
      {"a\nb", "--- |-\n  a\n  b\n"},
      {"a\nb\n", "--- |\n  a\n  b\n"},
      {"a\nb\n\n", "--- |+\n  a\n  b\n\n...\n"},
      {" a\nb", "--- |2-\n   a\n  b\n"},
      {"\na\n ", "--- \"\\na\\n \"\n"},
      {"a\n \nb", "--- \"a\\n \\nb\"\n"},
      {"a\tb", "--- \"a\\tb\"\n"},
      {"a\007b\nc", "--- \"a\\ab\\nc\"\n"},
      {"w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w ",
       "--- 'w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w\n  w w w w w w '\n"},
      {"word word word word word word word word word word word word word word word word word word word word",
       "--- word word word word word word word word word word word word word word word word\n  word word word word\n"},
      {"word  word  word  word  word  word  word  word  word  word  word  word  word  word  word  word  word  word  "
       "word  word",
       "--- word  word  word  word  word  word  word  word  word  word  word  word  word  word  word  word  word  word "
       " word  word\n"},
      {"'word word word word word word word word word word word word word word word word word word word word ",
       "--- \"'word word word word word word word word word word word word word word word word\n  word word word word "
       "\"\n"},
      {"😀 word word word word word word word word word word word word word word word word word word word word ",
       "--- \"\\U0001F600 word word word word word word word word word word word word word word\n  word word word word "
       "word word \"\n"},
      {"secret\r\n", "--- \"secret\\r\\n\"\n"},
      {"0b2", "--- 0b2\n"},
      {"0b12_", "--- 0b12_\n"},
  };
  for (const auto& [characters, expected] : cases) EXPECT_EQ(yaml(text(characters)), expected);
}

TEST_F(RubyYaml, Scalars) {
  EXPECT_EQ(yaml(Value::null()), "---\n");
  EXPECT_EQ(yaml(Value::boolean(false)), "--- false\n");
  EXPECT_EQ(yaml(Value::integer(-5)), "--- -5\n");
  EXPECT_EQ(yaml(big("123456789012345678901234567890")), "--- 123456789012345678901234567890\n");
  EXPECT_EQ(yaml(Value::floating(1e15)), "--- 1.0e+15\n");
  EXPECT_EQ(yaml(Value::floating(-std::numeric_limits<double>::infinity())), "--- -.inf\n");
  EXPECT_EQ(yaml(Value::floating(std::numeric_limits<double>::quiet_NaN())), "--- .nan\n");
  EXPECT_EQ(yaml(sensitive()), "--- Sensitive [value redacted]\n");
}

TEST_F(RubyYaml, Bytes) {
  EXPECT_EQ(yaml(binary("\xFF")), "--- !binary |-\n  /w==\n");
  EXPECT_EQ(yaml(binary("abc")), "--- abc\n");
  EXPECT_EQ(yaml(hash({{binary("\xFF"), binary("\xC3\xA9")}})), "---\n!binary \"/w==\": !binary |-\n  w6k=\n");
}

TEST_F(RubyYaml, Containers) {
  EXPECT_EQ(yaml(list({})), "--- []\n");
  EXPECT_EQ(yaml(hash({})), "--- {}\n");
  const Value value =
      hash({{text("a"),
             hash({{text("b"), list({Value::integer(1), hash({{text("c"), Value::null()}, {text("d"), list({})}})})},
                   {text("e"), hash({})}})},
            {Value::integer(1), Value::floating(2.5)},
            {text("yes"), list({list({text("x"), Value::null()}), list({})})},
            {list({Value::integer(1)}), text("a\nb")},
            {text(std::string(130, 'k')), text("long")}});
  EXPECT_EQ(
      yaml(value),
      "---\na:\n  b:\n  - 1\n  - c:\n    d: []\n  e: {}\n1: 2.5\n'yes':\n- - x\n  -\n- []\n? - 1\n: |-\n  a\n  b\n? " +
          std::string(130, 'k') + "\n: long\n");
}

TEST_F(RubyYaml, WhatIsSharedIsWrittenOut) {
  const Value shared = list({Value::integer(1)});
  EXPECT_EQ(yaml(list({shared, shared})), "---\n- - 1\n- - 1\n");
}

TEST_F(RubyYaml, DeepValues) {
  constexpr std::size_t kDepth = 5000;
  EXPECT_EQ(yaml(nested(kDepth)).size(), 4 + 2 * kDepth + 3);
}

}  // namespace
}  // namespace strata::ruby
