// SPDX-License-Identifier: Apache-2.0
// How Python writes data. Each expectation was run in Python 3.11.
#include "python/data.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "strata/builder.hpp"
#include "strata/error.hpp"
#include "strata/text.hpp"

namespace strata::python {
namespace {

struct Row {
  const char* yaml;
  const char* repr;
  const char* json;
};

TEST(PythonText, KnowsWhatIsTrue) {
  Sources sources;
  const auto truth = [&](const char* yaml) {
    const text::Document document = text::read_yaml(sources, sources.add("f", yaml), text::pyyaml(), {});
    return python::truth(document.root);
  };
  for (const char* yaml : {"null", "false", "0", "0.0", "-0.0", "''", "[]", "{}", "!!set {}", "!!binary ''"})
    EXPECT_FALSE(truth(yaml)) << yaml;
  for (const char* yaml : {"true", "-1", "0.5", ".nan", "' '", "'0'", "[null]", "{a: null}", "2001-01-01",
                           "99999999999999999999", "!!binary AA=="})
    EXPECT_TRUE(truth(yaml)) << yaml;
  EXPECT_FALSE(python::truth(Value()));
}

TEST(PythonText, WritesDataAsPythonDoes) {
  const Row rows[] = {
      {"null", "None", "null"},
      {"true", "True", "true"},
      {"-7", "-7", "-7"},
      {"123456789012345678901234567890", "123456789012345678901234567890", "123456789012345678901234567890"},
      {"2.5", "2.5", "2.5"},
      {"1.0", "1.0", "1.0"},
      {"1.0e+20", "1e+20", "1e+20"},
      {"1.5e-7", "1.5e-07", "1.5e-07"},
      {"1.0e+15", "1000000000000000.0", "1000000000000000.0"},
      {"-0.0", "-0.0", "-0.0"},
      {".inf", "inf", "Infinity"},
      {".nan", "nan", "NaN"},
      {"{k: v, l: [1, null, 1.5]}", "{'k': 'v', 'l': [1, None, 1.5]}", R"({"k": "v", "l": [1, null, 1.5]})"},
      {"{b: {}, a: []}", "{'b': {}, 'a': []}", R"({"b": {}, "a": []})"},
      {"{1: a, 1.5: b, null: d}", "{1: 'a', 1.5: 'b', None: 'd'}", R"({"1": "a", "1.5": "b", "null": "d"})"},
      {R"("it's")", R"("it's")", R"("it's")"},
      {R"("it's \"x\"")", R"('it\'s "x"')", R"("it's \"x\"")"},
      {R"("a\nb\tc\\d\r\0\x7f\x85\xe9\xad")", "'a\\nb\\tc\\\\d\\r\\x00\\x7f\\x85é\\xad'",
       R"("a\nb\tc\\d\r\u0000\u007f\u0085\u00e9\u00ad")"},
      {R"("\u200b\u4e2d\U0001f600\u2028")", "'\\u200b中😀\\u2028'", R"("\u200b\u4e2d\ud83d\ude00\u2028")"},
      {"2001-12-14", "datetime.date(2001, 12, 14)", ""},
      {"2001-12-14 21:59:43.1", "datetime.datetime(2001, 12, 14, 21, 59, 43, 100000)", ""},
      {"!!binary YSdi/w==", "b\"a'b\\xff\"", ""},
  };
  for (const auto& [yaml, repr, json] : rows) {
    Sources sources;
    const text::Document document = text::read_yaml(sources, sources.add("f", yaml), text::pyyaml(), Limits());
    EXPECT_EQ(python::repr(document.root), repr) << yaml;
    if (*json != '\0') {
      EXPECT_EQ(python::json(document.root), json) << yaml;
    }
  }
}

TEST(PythonText, TextsAreThemselves) {
  Arena arena;
  EXPECT_EQ(str(arena.text("it's\n")), "it's\n");
  EXPECT_EQ(str(Value::boolean(false)), "False");
  EXPECT_EQ(str(Arena::date({.year = 2001, .month = 12, .day = 14})), "2001-12-14");
}

TEST(PythonText, TabsAreBlanks) {
  EXPECT_EQ(expandtabs("\ta\tbc"), "        a       bc");
  EXPECT_EQ(expandtabs("12345678\tx\n\ty\r\tz"), "12345678        x\n        y\r        z");
  EXPECT_EQ(expandtabs("é\tx"), "é       x");
  EXPECT_EQ(expandtabs("none"), "none");
}

TEST(PythonText, LengthIsBounded) {
  Arena arena;
  SequenceBuilder list(arena);
  for (int i = 0; i < 1000; ++i) list.append(arena.text("item"));
  EXPECT_THROW((void)repr(list.finish(), 100), Error);
  EXPECT_THROW((void)json(list.finish(), 100), Error);
}

TEST(PythonText, EqualityGoesByAmount) {
  Sources sources;
  const auto equal_texts = [&sources](const char* left, const char* right) {
    const text::Document one = text::read_yaml(sources, sources.add("l", left), text::pyyaml(), Limits());
    const text::Document other = text::read_yaml(sources, sources.add("r", right), text::pyyaml(), Limits());
    EXPECT_EQ(python::equal(one.root, other.root), python::equal(other.root, one.root));
    return python::equal(one.root, other.root);
  };
  EXPECT_TRUE(equal_texts("1", "1.0"));
  EXPECT_TRUE(equal_texts("1", "true"));
  EXPECT_TRUE(equal_texts("-0.0", "false"));
  EXPECT_TRUE(equal_texts("[{a: 1, b: 2}]", "[{b: 2.0, a: true}]"));
  EXPECT_TRUE(equal_texts("100000000000000000000", "1.0e+20"));
  EXPECT_FALSE(equal_texts("9007199254740993", "9007199254740992.0"));
  EXPECT_FALSE(equal_texts("1", "'1'"));
  EXPECT_FALSE(equal_texts(".nan", ".nan"));
  EXPECT_FALSE(equal_texts("{a: 1}", "{a: 1, b: 2}"));
  EXPECT_FALSE(equal_texts("[]", "{}"));
}

}  // namespace
}  // namespace strata::python
