// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "strata/builder.hpp"
#include "strata/error.hpp"
#include "strata/text.hpp"

namespace strata::text {
namespace {

class WriteJson : public ::testing::Test {
 protected:
  Arena arena;
  Value mapping(std::initializer_list<std::pair<Value, Value>> entries) {
    MappingBuilder made(arena);
    for (const auto& [key, value] : entries) made.insert(key, value);
    return made.finish();
  }
  Value sequence(std::initializer_list<Value> items) { return arena.sequence(std::span(items.begin(), items.size())); }
  Value text(std::string_view characters) { return arena.text(characters); }
};

std::string in_line(const Value& value) {
  std::string out;
  append_json(out, value, {.indent = -1});
  return out;
}

std::string literal(std::string_view text) {
  std::string out;
  append_json_text(out, text);
  return out;
}

std::string error_of_writing(const Value& value) {
  std::string out = "before";
  try {
    append_json(out, value, {});
  } catch (const Error& error) {
    EXPECT_EQ(out, "before") << "half-written";
    EXPECT_FALSE(error.diagnostic().hint.empty());
    return error.code() + ": " + error.what();
  }
  return "no error";
}

TEST_F(WriteJson, Layout) {
  const Value value = mapping({{text("a"), sequence({Value::integer(1), mapping({})})},
                               {text("b"), mapping({{text("c"), Value::null()}})},
                               {text("d"), sequence({})}});
  EXPECT_EQ(write_json(value),
            "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": {\n    \"c\": null\n  },\n  \"d\": []\n}\n");
  EXPECT_EQ(write_json(value, {.indent = 0}), "{\n\"a\": [\n1,\n{}\n],\n\"b\": {\n\"c\": null\n},\n\"d\": []\n}\n");
  EXPECT_EQ(write_json(value, {.indent = -1}), "{\"a\": [1, {}], \"b\": {\"c\": null}, \"d\": []}\n");
}

TEST_F(WriteJson, InsideALargerText) {
  std::string out = "[\n  ";
  append_json(out, mapping({{text("a"), Value::integer(1)}}), {}, 1);
  EXPECT_EQ(out, "[\n  {\n    \"a\": 1\n  }");
}

TEST_F(WriteJson, Texts) {
  EXPECT_EQ(literal("plain"), "\"plain\"");
  EXPECT_EQ(literal(""), "\"\"");
  EXPECT_EQ(literal("a\"b\\c/d"), R"("a\"b\\c/d")");
  EXPECT_EQ(literal("\n\t\r\b\f\x01\x1f\x7F"), "\"\\n\\t\\r\\b\\f\\u0001\\u001f\x7F\"");
  EXPECT_EQ(literal(std::string_view("a\0b", 3)), R"("a\u0000b")");
  EXPECT_EQ(literal("é😀\xE2\x80\xA8"), "\"é😀\xE2\x80\xA8\"");
  EXPECT_EQ(literal("a\xFF"
                    "b\xC3"),
            "\"a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD\"");
}

TEST_F(WriteJson, EscapesAtEveryOffset) {
  for (std::size_t before = 0; before < 1100; before += before < 20 ? 1 : 27) {
    const std::string around(before, 'x');
    EXPECT_EQ(literal(around + "\"" + around), "\"" + around + "\\\"" + around + "\"");
    EXPECT_EQ(literal(around + "\x1f" + around), "\"" + around + "\\u001f" + around + "\"");
  }
}

TEST_F(WriteJson, EveryCharacterInEveryShortText) {
  for (std::size_t size = 1; size <= 17; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      for (const auto& [character, written] :
           std::initializer_list<std::pair<std::string, std::string>>{{"x", "x"},
                                                                      {"\"", "\\\""},
                                                                      {"\n", "\\n"},
                                                                      {"\x01", "\\u0001"},
                                                                      {"\x1f", "\\u001f"},
                                                                      {"\x7f", "\x7f"},
                                                                      {"\xff", "\xEF\xBF\xBD"}}) {
        const std::string before(at, 'a');
        const std::string behind(size - at - 1, 'z');
        EXPECT_EQ(literal(before + character + behind), '"' + before + written + behind + '"') << size << " " << at;
      }
    }
  }
}

TEST_F(WriteJson, Numbers) {
  const auto number = [](double amount) { return in_line(Value::floating(amount)); };
  EXPECT_EQ(number(1000), "1000.0");
  EXPECT_EQ(number(-0.0), "-0.0");
  EXPECT_EQ(number(0.1), "0.1");
  EXPECT_EQ(number(1e15), "1000000000000000.0");
  EXPECT_EQ(number(1e16), "1e+16");
  EXPECT_EQ(number(1e20), "1e+20");
  EXPECT_EQ(number(1.5e-7), "1.5e-07");
  EXPECT_EQ(number(0.0001), "0.0001");
  EXPECT_EQ(number(0.00001), "1e-05");
  EXPECT_EQ(number(1.7976931348623157e308), "1.7976931348623157e+308");
  EXPECT_EQ(in_line(Value::integer(INT64_MIN)), "-9223372036854775808");
  EXPECT_EQ(in_line(arena.integer("-123456789012345678901234567890")), "-123456789012345678901234567890");
}

TEST_F(WriteJson, WhatJsonLacks) {
  EXPECT_EQ(in_line(arena.binary("\xFF\x01")), "\"/wE=\"");
  EXPECT_EQ(in_line(Arena::date({.year = 2001, .month = 2, .day = 3})), "\"2001-02-03\"");
  EXPECT_EQ(in_line(arena.timestamp({.date = {2001, 2, 3}, .hour = 4, .minute = 5, .second = 6, .has_zone = true})),
            "\"2001-02-03T04:05:06+00:00\"");
  EXPECT_EQ(in_line(Value()), "null");
  MappingBuilder set = MappingBuilder::set(arena);
  set.insert(text("a"), Value::null());
  set.insert(Value::integer(1), Value::null());
  EXPECT_EQ(in_line(set.finish()), "[\"a\", 1]");
  EXPECT_EQ(in_line(MappingBuilder::set(arena).finish()), "[]");
}

TEST_F(WriteJson, KeysBecomeText) {
  const Value value = mapping({{Value::null(), Value::integer(1)},
                               {Value::boolean(true), Value::integer(2)},
                               {Value::integer(3), Value::integer(3)},
                               {Value::floating(1.5), Value::integer(4)},
                               {sequence({Value::integer(1)}), Value::integer(5)}});
  EXPECT_EQ(in_line(value), R"({"null": 1, "true": 2, "3": 3, "1.5": 4, "[1]": 5})");
}

TEST_F(WriteJson, CollidingKeysAreAnError) {
  const Value value = mapping({{text("a"), mapping({{Value::integer(1), Value::null()}, {text("1"), Value::null()}})}});
  EXPECT_EQ(error_of_writing(value), "json.key-collision: two keys of the mapping at /a have the same JSON name '1'");
}

TEST_F(WriteJson, NotFiniteIsAnErrorWithItsPath) {
  EXPECT_EQ(error_of_writing(mapping({{text("a/b"), sequence({Value::null(), Value::floating(HUGE_VAL)})}})),
            "json.not-finite: infinity at /a~1b/1 has no JSON form");
  EXPECT_EQ(error_of_writing(Value::floating(-HUGE_VAL)),
            "json.not-finite: minus infinity at the top has no JSON form");
  EXPECT_EQ(error_of_writing(Value::floating(std::nan(""))),
            "json.not-finite: not-a-number at the top has no JSON form");
}

TEST_F(WriteJson, ErrorsHaveAPlaceWhereTheStyleKnowsTheTexts) {
  Sources sources;
  const SourceId source = sources.add("f.yaml", "a: .inf\n1: x\n");
  const auto told = [&sources](const Value& value) {
    try {
      write_json(value, {.sources = &sources}, [](std::string_view) {});
    } catch (const Error& error) {
      return error.code() + " " + error.diagnostic().where.place.to_string() + error.diagnostic().where.line;
    }
    return std::string();
  };
  EXPECT_EQ(told(mapping({{text("a"), Value::floating(HUGE_VAL).with_origin(sources.at(source, 3))}})),
            "json.not-finite f.yaml:1:4");
  EXPECT_EQ(told(mapping(
                {{text("1"), Value::null()}, {Value::integer(1).with_origin(sources.at(source, 8)), Value::null()}})),
            "json.key-collision f.yaml:2:1");
}

TEST_F(WriteJson, SortsByCodePoint) {
  const Value value = mapping({{text("b"), Value::integer(1)},
                               {text("é"), Value::integer(2)},
                               {text("B"), Value::integer(3)},
                               {text("a"), Value::integer(4)},
                               {Value::integer(5), Value::integer(5)}});
  EXPECT_EQ(write_json(value, {.sort_keys = true, .indent = -1}),
            "{\"5\": 5, \"B\": 3, \"a\": 4, \"b\": 1, \"é\": 2}\n");
}

}  // namespace
}  // namespace strata::text
