// SPDX-License-Identifier: Apache-2.0
// How keys are split. The table is what Puppet's SubLookup#split_key gives.
#include "hiera/key.hpp"

#include <gtest/gtest.h>

#include "strata/hiera.hpp"

namespace strata::hiera {
namespace {

/// Segments between `|`; numbers with `#`. `error` where the key is refused.
std::string split(std::string_view text) {
  try {
    std::string out;
    for (const Segment& segment : split_key(text, "key")) {
      if (!out.empty()) out += "|";
      out += std::holds_alternative<std::int64_t>(segment) ? "#" + to_string(segment) : "'" + to_string(segment) + "'";
    }
    return out;
  } catch (const LookupError& error) {
    EXPECT_EQ(error.code(), "hiera.key");
    return "error";
  }
}

TEST(Key, SplitsAsTheReference) {
  struct Row {
    std::string_view key;
    std::string_view segments;
  };
  for (const Row& row : std::initializer_list<Row>{
           {"", "''"},
           {"a", "'a'"},
           {"a b", "'a b'"},
           {"a.b", "'a'|'b'"},
           {"a..b", "error"},
           {".a", "error"},
           {"a.", "error"},
           {".", "error"},
           {" a . b ", "'a'|'b'"},
           {"\"x.y\".z", "'x.y'|'z'"},
           {"'x.y'.z", "'x.y'|'z'"},
           {"a.\"b\"", "'a'|'b'"},
           {"a.\"1\"", "'a'|'1'"},
           {"a.1", "'a'|#1"},
           {"a.-1", "'a'|#-1"},
           {"a.+1", "'a'|#1"},
           {"a.01", "'a'|#1"},
           {"a.:1", "'a'|#0"},
           {"a.:-2", "'a'|#0"},
           {"a.1x", "'a'|'1x'"},
           {"a. 1 ", "'a'|#1"},
           {"\"a", "error"},
           {"a\"", "error"},
           {"a'b", "error"},
           {"a.'b", "error"},
           {"a.\"\"", "error"},
           {"a.''", "error"},
           {"\"a\".\"b\"", "'a'|'b'"},
           {"\"a\"b.c", "error"},
           {"a.\"b\"c", "error"},
           {"\"a\".", "error"},
           {"1.2", "#1|#2"},
           {"a.\"b'c\"", "'a'|'b'c'"},
           {"a.'b\"c'", "'a'|'b\"c'"},
           {" \"a.b\" ", "'a.b'"},
           {"a:b.c", "'a:b'|'c'"},
           {"m::k.x", "'m::k'|'x'"},
           {"a.b c.d", "'a'|'b c'|'d'"},
           {"a.\tb", "'a'|'b'"},
           {"\"a b\"", "'a b'"},
           {"a.\"\"b", "error"},
           {":1.x", "#0|'x'"},
           {"a. .b", "'a'|''|'b'"},
           {"a.: 1", "'a'|': 1'"},
           {"\".\"", "'.'"},
           {"a.1.2.3", "'a'|#1|#2|#3"},
           {"é.ü", "'é'|'ü'"},
           {"a.\"é.x\"", "'a'|'é.x'"},
           {"a.\n", "'a'|''"},
           {"a.9223372036854775807", "'a'|#9223372036854775807"},
       }) {
    EXPECT_EQ(split(row.key), row.segments) << row.key;
  }
}

TEST(Key, KnowsRootAndModule) {
  const Key plain("a b");
  EXPECT_EQ(plain.root(), "a b");
  EXPECT_TRUE(plain.segments().empty());
  EXPECT_FALSE(plain.has_module());
  const Key dotted("mod::sub::k.0.\"x.y\"");
  EXPECT_EQ(dotted.root(), "mod::sub::k");
  EXPECT_EQ(dotted.module(), "mod");
  ASSERT_EQ(dotted.segments().size(), 2U);
  EXPECT_EQ(dotted.segments()[0], Segment(std::int64_t{0}));
  EXPECT_EQ(dotted.segments()[1], Segment(std::string("x.y")));
  const Key quoted("'a.b::c'");
  EXPECT_EQ(quoted.root(), "a.b::c");
  EXPECT_EQ(quoted.module(), "a.b");
  const Key empty_module("::k");
  EXPECT_TRUE(empty_module.has_module());
  EXPECT_EQ(empty_module.module(), "::k");
  EXPECT_EQ(Key("").root(), "");
}

TEST(Key, IndexesBeyondAnyListStayNumbers) {
  const Key key("a.99999999999999999999999");
  ASSERT_EQ(key.segments().size(), 1U);
  EXPECT_TRUE(std::holds_alternative<std::int64_t>(key.segments().front()));
}

}  // namespace
}  // namespace strata::hiera
