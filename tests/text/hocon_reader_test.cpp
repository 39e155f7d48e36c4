// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "strata/error.hpp"
#include "strata/text.hpp"
#include "support/expect_error.hpp"

namespace strata::text {
namespace {

std::string json_of_hocon(const std::string& hocon, const Limits& limits = {}) {
  Sources sources;
  const std::string json = write_json(read_hocon(sources, sources.add("f.conf", hocon), limits).root, {.indent = -1});
  return json.substr(0, json.size() - 1);
}

std::string repeat(std::string_view piece, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += piece;
  return out;
}

TEST(ReadHocon, FindsFieldsThatAreWrittenTwice) {
  struct Case {
    const char* hocon;
    const char* repeated;
  };
  for (const Case& one : std::initializer_list<Case>{{"a=1\na=2", "a 0 4 "},
                                                     {"a=1\na=${?X}", ""},
                                                     {"a=[1]\na=${a}[2]", ""},
                                                     {"a=[1]\na+=2\na+=3", ""},
                                                     {"a={b:1}\na={c:2}", ""},
                                                     {"a={b:1}\na={b:2}", "b 3 11 "},
                                                     {"a.b=1\na.b=2", "b 0 6 "},
                                                     {"a=1\na={b:1}", "a 0 4 "},
                                                     {"a={b:1}{b:2}", ""},
                                                     {"a=${x}\na=1\nx=2", "a 0 7 "}}) {
    Sources sources;
    const SourceId source = sources.add("f.conf", one.hocon);
    const std::uint32_t begin = sources.at(source, 0).location;
    std::string told;
    for (const RepeatedKey& key : read_hocon(sources, source, {}).repeated_keys) {
      told += key.name + " " + std::to_string(key.earlier.location - begin) + " " +
              std::to_string(key.later.location - begin) + " ";
    }
    EXPECT_EQ(told, one.repeated) << one.hocon;
  }
}

struct Row {
  const char* hocon;
  const char* json;
};

// Each row was read by the hocon gem 1.3.1, but for the order of keys.
TEST(ReadHocon, ReadsAsTheGemDoes) {
  const std::vector<Row> rows{
      {"", "{}"},
      {"# only\n// comments", "{}"},
      {"{a:1} # c", R"({"a": 1})"},
      {"a=010, b=08, c=-010, d=00", R"({"a": 8, "b": "08", "c": -8, "d": 0})"},
      {"a=1.0, b=1.5, c=1e3, d=1., e=.5, f=-0.0", R"({"a": 1, "b": 1.5, "c": 1000, "d": "1.", "e": ".5", "f": 0})"},
      {"a=99999999999999999999, b=1e20", R"({"a": 99999999999999999999, "b": 100000000000000000000})"},
      {"a=yes, b=true, c=null, d=truex, e=null x",
       R"({"a": "yes", "b": true, "c": null, "d": "truex", "e": "null x"})"},
      {"a=foo bar  baz ", R"({"a": "foo bar  baz"})"},
      {"a=010 x, b=1 2", R"({"a": "010 x", "b": "1 2"})"},
      {"a=\"\"\"tri\"\"\"\", b=\"\"\"l1\nl2\"\"\"", R"({"a": "tri\"", "b": "l1\nl2"})"},
      {"a=\"\\u00e9\\n\\/\"", R"({"a": "é\n/"})"},
      {"a=\"\\ud83d\\ude00\"", R"({"a": "😀"})"},
      {"a='x', b=x'y, c=a/b, d=a//b", R"({"a": "'x'", "b": "x'y", "c": "a/b", "d": "a"})"},
      {"a.b.c=1\na.d=2", R"({"a": {"b": {"c": 1}, "d": 2}})"},
      {"1.2=3, \"x.y\"=4, a.\"b.c\"=5, \"\"=6", R"({"1": {"2": 3}, "x.y": 4, "a": {"b.c": 5}, "": 6})"},
      {"a b = 1", R"({"a b": 1})"},
      {"a\n=\n1", R"({"a": 1})"},
      {"a={b:1}\na={c:2}", R"({"a": {"b": 1, "c": 2}})"},
      {"a={b:1},a=null,a={c:1}", R"({"a": {"c": 1}})"},
      {"a={b:1}{c:2}", R"({"a": {"b": 1, "c": 2}})"},
      {"a=[1,2]\na+=3\na+=${b}\nb=4", R"({"a": [1, 2, 3, 4], "b": 4})"},
      {"a+=3", R"({"a": [3]})"},
      {"a=[1] [2], b=[1 2], c=[1\n\n2,]", R"({"a": [1, 2], "b": ["1 2"], "c": [1, 2]})"},
      {"a=[1,2] x, b={} x", R"({"a": [1, 2], "b": {}})"},
      {"b=${a}\na=1", R"({"b": 1, "a": 1})"},
      {"b=x${?x}y, c=${?x}, d=[1,${?x}]", R"({"b": "xy", "d": [1]})"},
      {"a=${b}x, b=010", R"({"a": "010x", "b": 8})"},
      {"a=${ b } ${\"b\"}, b=1", R"({"a": "1 1", "b": 1})"},
      {"path=a\npath=${path}\":b\"", R"({"path": "a:b"})"},
      {"a={x:1},b=${a}{y:2}\nb.x=5", R"({"a": {"x": 1}, "b": {"x": 5, "y": 2}})"},
      {"bar : { foo : 42, baz : ${bar.foo} }\nbar : { foo : 43 }", R"({"bar": {"foo": 43, "baz": 43}})"},
      {"a.b=${a.c}\na.c=${a.d}\na.d=4", R"({"a": {"b": 4, "c": 4, "d": 4}})"},
      {"a=1\na=${?a}", R"({"a": 1})"},
      {"x = ${?x} --\nx = ${?x} y", R"({"x": " -- y"})"},
      {"a=\xC2\xA0"
       "1\xC2\xA0",
       R"({"a": 1})"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.hocon);
    EXPECT_EQ(json_of_hocon(row.hocon), row.json);
  }
}

TEST(ReadHocon, RefusesWhatTheGemRefuses) {
  for (const char* text :
       {"5",          "\"x\"",      "a={",           "a=}",     "a",    "a=",       "a=http://x", "a=b=c",
        "a=$b",       "a=a+b",      "a=a`b",         "a=x {}",  "a,b",  "a=1,,b=2", ",a=1",       "a=1 b=2",
        "a=[1,,2]",   "a=[,1]",     "a..b=1",        ".a=1",    "a.=1", "{a=1}x",   "}",          "a=\"x",
        "a=\"\"\"x",  "a=\"x\ny\"", "a=\"\\q\"",     "a=[1,2}", "a=${", "a=${}",    "a=${${b}}",  "a=x\na+=1",
        "a=[{b+=1}]", "include=5",  "a=\"\\ud83d\"", "a=5+3"}) {
    SCOPED_TRACE(text);
    STRATA_EXPECT_ERROR(json_of_hocon(text), "hocon.syntax");
  }
  for (const char* text : {"b=${x}", "a=${a}", "a=${b}\nb=${a}", "a={b:${a}}", "b=${HOME}"}) {
    SCOPED_TRACE(text);
    STRATA_EXPECT_ERROR(json_of_hocon(text), "hocon.substitution");
  }
  STRATA_EXPECT_ERROR(json_of_hocon("[1]"), "hocon.root");
  STRATA_EXPECT_ERROR(json_of_hocon("a=1e400"), "hocon.number");
  STRATA_EXPECT_ERROR(json_of_hocon("a=\xff"), "hocon.encoding");
}

TEST(ReadHocon, IncludesNothing) {
  for (const char* text : {"include \"x\"", "include file(\"/etc/passwd\")", "include url(\"http://localhost/\")",
                           "a { include classpath(\"x\") }"}) {
    STRATA_EXPECT_ERROR(json_of_hocon(text), "hocon.include");
  }
  EXPECT_EQ(json_of_hocon("\"include\" = include"), R"({"include": "include"})");
}

TEST(ReadHocon, AsksForVariablesThatTheTextDoesNotHave) {
  Sources sources;
  const HoconVariables variables = [](std::string_view name) {
    return name == "HOME" || name == "a" ? std::optional<std::string>("/there") : std::nullopt;
  };
  const Document document =
      read_hocon(sources, sources.add("f.conf", "a=1, b=${HOME}/x, c=${a}, d=${?NOPE}"), {}, nullptr, variables);
  EXPECT_EQ(write_json(document.root, {.indent = -1}), "{\"a\": 1, \"b\": \"/there/x\", \"c\": 1}\n");
}

TEST(ReadHocon, KnowsWhereValuesStand) {
  Sources sources;
  const Document document =
      read_hocon(sources, sources.add("f.conf", "a {\n  b = [1, é x]\n}\nc = ${a.b}\na.d = 2\n"), {});
  const auto place = [&sources](const Value& value) { return sources.place(value.origin()).to_string(); };
  const Value& list = *document.root.find("a")->find("b");
  EXPECT_EQ(place(list), "f.conf:2:7");
  EXPECT_EQ(place(list.items()[1]), "f.conf:2:11");
  EXPECT_EQ(place(*document.root.find("c")), "f.conf:2:7");
  EXPECT_EQ(place(*document.root.find("a")->find("d")), "f.conf:5:7");
  EXPECT_EQ(place(document.root.entries()[1].key), "f.conf:4:1");
  EXPECT_EQ(document.nodes, 9U);
}

TEST(ReadHocon, ShowsThePlaceOfAnError) {
  try {
    (void)json_of_hocon("a = 1\nb = ${nope.x}\n");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(format(error.diagnostic(), "error"),
              "f.conf:2:5: error: the substitution ${nope.x} leads nowhere [hocon.substitution]\n"
              "    2 | b = ${nope.x}\n"
              "      |     ^\n"
              "hint: write ${?..} for keys that may be missing\n");
  }
}

TEST(ReadHocon, BoundsWhatATextAsksFor) {
  STRATA_EXPECT_ERROR(json_of_hocon("a=" + repeat("[", 100'000)), "limit.depth");
  STRATA_EXPECT_ERROR(json_of_hocon(repeat("a{", 100'000)), "limit.depth");
  STRATA_EXPECT_ERROR(json_of_hocon(repeat("a.", 100'000) + "b=1"), "limit.depth");
  STRATA_EXPECT_ERROR(json_of_hocon("a=12345", {.input = 3}), "limit.input");
  std::string chain = "k0=1\n";
  for (int i = 1; i < 5000; ++i) chain += "k" + std::to_string(i) + "=${k" + std::to_string(i - 1) + "}\n";
  EXPECT_TRUE(json_of_hocon(chain).ends_with("\"k4999\": 1}"));
  std::string backwards;
  for (int i = 0; i < 5000; ++i) backwards += "k" + std::to_string(i) + "=${k" + std::to_string(i + 1) + "}\n";
  STRATA_EXPECT_ERROR(json_of_hocon(backwards), "limit.depth");
  for (const char* first : {"k0=[1]\n", "k0=x\n", "k0={a:1}\n"}) {
    for (const auto& [before, between, after] :
         {std::array{"", "", ""}, std::array{"[", ",", "]"}, std::array{"{a=", ",b=", "}"}}) {
      std::string bomb = first;
      for (int i = 1; i < 60; ++i) {
        const std::string last = "${k" + std::to_string(i - 1) + "}";
        bomb += "k" + std::to_string(i) + "=" + before + last + between + last + after + "\n";
      }
      try {
        EXPECT_LT(json_of_hocon(bomb, {.depth = 1000, .aliases = 1'000'000, .steps = 1'000'000}).size(), 10'000U)
            << bomb;
      } catch (const Error& error) {
        EXPECT_TRUE(error.code().starts_with("limit.")) << error.code();
      }
    }
  }
  EXPECT_EQ(json_of_hocon("a=[]\n" + repeat("a+=1\n", 2000)).size(), 6007U);
}

}  // namespace
}  // namespace strata::text
