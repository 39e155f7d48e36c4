// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "strata/builder.hpp"
#include "strata/text.hpp"
#include "support/threads.hpp"

namespace strata::text {
namespace {

class WriteYaml : public ::testing::Test {
 protected:
  Arena arena;
  Value mapping(std::initializer_list<std::pair<Value, Value>> entries) {
    MappingBuilder made(arena);
    for (const auto& [key, value] : entries) made.insert(key, value);
    return made.finish();
  }
  Value sequence(std::initializer_list<Value> items) { return arena.sequence(std::span(items.begin(), items.size())); }
  Value set(std::initializer_list<Value> members) {
    MappingBuilder made = MappingBuilder::set(arena);
    for (const Value& member : members) made.insert(member, Value::null());
    return made.finish();
  }
  Value text(std::string_view characters) { return arena.text(characters); }
  static Value number(std::int64_t amount) { return Value::integer(amount); }
  /// A text as the value of a key: what follows `k:`.
  std::string as_value(std::string_view characters) {
    return write_yaml(mapping({{text("k"), text(characters)}})).substr(2);
  }
};

TEST_F(WriteYaml, Blocks) {
  const Value value =
      mapping({{text("a"), sequence({number(1), text("x")})},
               {text("b"), mapping({{text("c"), Value::null()}, {text("d"), Value::boolean(true)}})},
               {text("e"), sequence({mapping({{text("f"), number(1)}, {text("g"), sequence({number(2)})}}),
                                     sequence({number(3), number(4)})})}});
  EXPECT_EQ(write_yaml(value),
            "a:\n"
            "  - 1\n"
            "  - x\n"
            "b:\n"
            "  c: null\n"
            "  d: true\n"
            "e:\n"
            "  - f: 1\n"
            "    g:\n"
            "      - 2\n"
            "  - - 3\n"
            "    - 4\n");
  EXPECT_EQ(write_yaml(mapping({{text("a"), sequence({mapping({{text("b"), mapping({{text("c"), number(1)}})}})})}}),
                       {.indent = 4}),
            "a:\n"
            "    - b:\n"
            "          c: 1\n");
}

TEST_F(WriteYaml, EmptyContainers) {
  EXPECT_EQ(
      write_yaml(mapping({{text("a"), mapping({})}, {text("b"), sequence({})}, {text("c"), sequence({mapping({})})}})),
      "a: {}\nb: []\nc:\n  - {}\n");
  EXPECT_EQ(write_yaml(mapping({})), "{}\n");
  EXPECT_EQ(write_yaml(sequence({})), "[]\n");
}

TEST_F(WriteYaml, ScalarsAtTheTop) {
  EXPECT_EQ(write_yaml(text("abc")), "abc\n");
  EXPECT_EQ(write_yaml(number(1)), "1\n");
  EXPECT_EQ(write_yaml(text("a\nb")), "|-\n  a\n  b\n");
  EXPECT_EQ(write_yaml(text(" a\nb"), {.indent = 4}), "|4-\n     a\n    b\n");
  EXPECT_EQ(write_yaml(Value()), "null\n");
}

TEST_F(WriteYaml, PlainTexts) {
  for (const std::string_view plain : {"abc",
                                       "a b",
                                       "a-b",
                                       "-x",
                                       "--flag",
                                       "a:b",
                                       "http://x/?a=b",
                                       "a#b",
                                       "a, b",
                                       "a]",
                                       "it's",
                                       "10.0.0.1",
                                       "1.2.3",
                                       "é",
                                       "😀",
                                       "a\\b",
                                       "~/x",
                                       "a {b}",
                                       "/etc/x",
                                       ".hidden",
                                       "..",
                                       "$x",
                                       "(x)",
                                       "a\xC2\xA0"
                                       "b"}) {
    EXPECT_EQ(as_value(plain), " " + std::string(plain) + "\n");
  }
}

TEST_F(WriteYaml, SingleQuotedTexts) {
  for (const std::string_view quoted :
       {"",      " a",  "a ",  "a: b",  "a:",   "a #b", "# a",   "- a",  "-",        "---",        "--- a", "...",
        "? a",   "?",   ": a", ":a",    "[a]",  "{a}",  "&a",    "*a",   "!a",       "|",          ">",     "%a",
        "@a",    "`a`", ",",   "\"a\"", "yes",  "No",   "on",    "true", "null",     "~",          "1",     "1.5",
        "1_000", "0o7", "010", "0x1F",  "1:30", "1e3",  "1e5",   ".5",   ".inf",     "2001-01-01", "=",     "<<",
        "y",     "N",   "]",   "}",     "yEs",  "nULL", "1,000", "0,5",  "2001-1-2", ".iNf",       ".e+3",  "0b_"}) {
    EXPECT_EQ(as_value(quoted), " '" + std::string(quoted) + "'\n");
  }
  EXPECT_EQ(as_value("\"it's\": x"), " '\"it''s\": x'\n");
}

TEST_F(WriteYaml, UnderPsychATextThatWouldMergeHasATag) {
  MappingBuilder mapping(arena);
  mapping.insert("<<", text("<<"));
  EXPECT_EQ(write_yaml(mapping.finish(), {.profile = &psych()}), "!!str '<<': '<<'\n");
  EXPECT_EQ(write_yaml(mapping.finish()), "'<<': '<<'\n");
}

TEST_F(WriteYaml, DoubleQuotedTexts) {
  EXPECT_EQ(as_value("it's: x"), " \"it's: x\"\n");
  EXPECT_EQ(as_value("a\tb"), " \"a\\tb\"\n");
  EXPECT_EQ(as_value("a\rb"), " \"a\\rb\"\n");
  EXPECT_EQ(as_value(std::string_view("a\0b", 3)), " \"a\\0b\"\n");
  EXPECT_EQ(as_value("\a\b\v\f\x1b\x01\x7F"), " \"\\a\\b\\v\\f\\e\\x01\\x7F\"\n");
  EXPECT_EQ(as_value("\xC2\x85\xE2\x80\xA8\xE2\x80\xA9"), " \"\\N\\L\\P\"\n");
  EXPECT_EQ(as_value("\xEF\xBB\xBF"
                     "a\xEF\xBF\xBF"),
            " \"\\uFEFFa\\uFFFF\"\n");
  EXPECT_EQ(as_value("\xE2\x80\xAE"
                     "abc"),
            " \"\\u202Eabc\"\n");
  EXPECT_EQ(as_value("\x01"
                     "é\"\\"),
            " \"\\x01é\\\"\\\\\"\n");
  EXPECT_EQ(as_value("a\xFF"), " \"a\xEF\xBF\xBD\"\n");
}

TEST_F(WriteYaml, LiteralBlocks) {
  EXPECT_EQ(as_value("a\nb\n"), " |\n  a\n  b\n");
  EXPECT_EQ(as_value("a\nb"), " |-\n  a\n  b\n");
  EXPECT_EQ(as_value("a\n\n"), " |+\n  a\n\n");
  EXPECT_EQ(as_value("a\n\n b: c #\n"), " |\n  a\n\n   b: c #\n");
  EXPECT_EQ(as_value(" a\nb"), " |2-\n   a\n  b\n");
  EXPECT_EQ(as_value("\ta\nb\n"), " |2\n  \ta\n  b\n");
  EXPECT_EQ(as_value("\na\n"), " |2\n\n  a\n");
  EXPECT_EQ(as_value("#!/bin/sh\n---\n"), " |\n  #!/bin/sh\n  ---\n");
  EXPECT_EQ(write_yaml(sequence({text("a\nb"), sequence({text(" a\nb")})})),
            "- |-\n  a\n  b\n- - |2-\n     a\n    b\n");
}

TEST_F(WriteYaml, LinesThatNoBlockShows) {
  EXPECT_EQ(as_value("\n"), " \"\\n\"\n");
  EXPECT_EQ(as_value("a \nb"), " \"a \\nb\"\n");
  EXPECT_EQ(as_value("a\nb "), " \"a\\nb \"\n");
  EXPECT_EQ(as_value("a\r\nb"), " \"a\\r\\nb\"\n");
  EXPECT_EQ(as_value("a\n\xC2\x85"), " \"a\\n\\N\"\n");
}

TEST_F(WriteYaml, OtherScalars) {
  EXPECT_EQ(write_yaml(arena.integer("123456789012345678901234567890")), "123456789012345678901234567890\n");
  EXPECT_EQ(write_yaml(Value::floating(1e20)), "1.0e+20\n");
  EXPECT_EQ(write_yaml(sequence({Value::floating(HUGE_VAL), Value::floating(-HUGE_VAL), Value::floating(std::nan("")),
                                 Value::floating(3)})),
            "- .inf\n- -.inf\n- .nan\n- 3.0\n");
  EXPECT_EQ(write_yaml(Arena::date({.year = 2001, .month = 2, .day = 3})), "2001-02-03\n");
  EXPECT_EQ(write_yaml(arena.timestamp({.date = {2001, 2, 3}, .hour = 4, .minute = 5, .second = 6, .microsecond = 70})),
            "2001-02-03T04:05:06.000070\n");
}

TEST_F(WriteYaml, Binary) {
  EXPECT_EQ(write_yaml(mapping({{text("a"), arena.binary("hello")}, {text("b"), arena.binary("")}})),
            "a: !!binary |\n  aGVsbG8=\nb: !!binary ''\n");
  const std::string line(76, 'A');
  EXPECT_EQ(write_yaml(sequence({arena.binary(std::string(58, '\0'))})), "- !!binary |\n  " + line + "\n  AA==\n");
  EXPECT_EQ(write_yaml(mapping({{arena.binary("hello"), number(1)}})), "!!binary aGVsbG8=: 1\n");
}

TEST_F(WriteYaml, Sets) {
  EXPECT_EQ(write_yaml(mapping({{text("a"), set({text("x"), number(1)})}, {text("b"), set({})}})),
            "a: !!set\n  ? x\n  ? 1\nb: !!set {}\n");
  EXPECT_EQ(write_yaml(set({text("x")})), "!!set\n? x\n");
  EXPECT_EQ(write_yaml(sequence({set({text("x")})})), "- !!set\n  ? x\n");
}

TEST_F(WriteYaml, Keys) {
  EXPECT_EQ(write_yaml(mapping({{Value::null(), number(1)},
                                {Value::boolean(true), number(2)},
                                {number(3), number(3)},
                                {Value::floating(1.5), number(4)},
                                {text("yes"), number(5)},
                                {text(""), number(6)},
                                {text("a\nb"), number(7)},
                                {text("a: b"), number(8)},
                                {Arena::date({2001, 2, 3}), number(9)}})),
            "null: 1\ntrue: 2\n3: 3\n1.5: 4\n'yes': 5\n'': 6\n\"a\\nb\": 7\n'a: b': 8\n2001-02-03: 9\n");
}

TEST_F(WriteYaml, LongKeys) {
  const std::string longest(128, 'x');
  EXPECT_EQ(write_yaml(mapping({{text(longest), number(1)}})), longest + ": 1\n");
  const std::string longer(129, 'x');
  EXPECT_EQ(write_yaml(mapping(
                {{text(longer), number(1)},
                 {text("a"), mapping({{text(longer), mapping({{text("b"), number(2)}, {text("c"), number(3)}})}})}})),
            "? " + longer + "\n: 1\na:\n  ? " + longer + "\n  : b: 2\n    c: 3\n");
}

TEST_F(WriteYaml, ContainersAsKeys) {
  EXPECT_EQ(write_yaml(mapping({{sequence({number(1), number(2)}), sequence({number(3)})},
                                {mapping({{text("a"), number(1)}}), text("b\nc")},
                                {sequence({}), number(4)}}),
                       {.profile = &core12()}),
            "? - 1\n  - 2\n: - 3\n? a: 1\n: |-\n  b\n  c\n? []\n: 4\n");
}

TEST_F(WriteYaml, Core12HasFewerTypes) {
  const Value value = sequence({arena.binary("hello"), Arena::date({2001, 2, 3}), set({text("x")}), text("yes")});
  EXPECT_EQ(write_yaml(value, {.profile = &core12()}), "- aGVsbG8=\n- '2001-02-03'\n- x: null\n- 'yes'\n");
}

TEST_F(WriteYaml, SortsByCodePoint) {
  EXPECT_EQ(write_yaml(mapping({{text("b"), number(1)},
                                {text("é"), number(2)},
                                {text("B"), number(3)},
                                {number(10), number(4)},
                                {number(9), number(5)}}),
                       {.sort_keys = true}),
            "10: 4\n9: 5\nB: 3\nb: 1\né: 2\n");
}

TEST_F(WriteYaml, PiecesAreTheWholeInOrder) {
  SequenceBuilder items(arena);
  for (int i = 0; i < 20'000; ++i) {
    // The key of one address, and equal keys of other addresses.
    items.append(mapping({{arena.text(i % 2 == 0 ? "name" : "yes"), arena.text("value " + std::to_string(i))}}));
  }
  const Value list = items.finish();
  const std::string whole = write_yaml(list);
  std::string joined;
  std::size_t pieces = 0;
  write_yaml(list, {}, [&](std::string_view piece) {
    ++pieces;
    EXPECT_TRUE(piece.ends_with('\n'));
    joined += piece;
  });
  EXPECT_EQ(joined, whole);
  EXPECT_GT(pieces, 3U);
  joined.clear();
  const std::array<Value, 3> documents{list, Value::integer(1), list};
  write_yaml_stream(documents, {}, [&](std::string_view piece) { joined += piece; });
  EXPECT_EQ(joined, "---\n" + whole + "---\n1\n---\n" + whole);
}

TEST_F(WriteYaml, StreamsAreTheSameForAllThreads) {
  std::vector<Value> documents;
  std::string expected;
  for (int i = 0; i < 2500; ++i) {
    documents.push_back(mapping(
        {{text("name"), text("document " + std::to_string(i))}, {text("list"), sequence({number(i), text("yes")})}}));
    expected += "---\n" + write_yaml(documents.back());
  }
  for (const std::size_t width : {1U, 2U, 7U}) {
    std::string out;
    write_yaml_stream(
        documents, {}, [&](std::string_view piece) { out += piece; },
        std::make_shared<strata::testing::Threads>(width));
    EXPECT_TRUE(out == expected) << width;
  }
}

TEST_F(WriteYaml, LinesKnowTheirLeaves) {
  const Value value = mapping({{text("a"), sequence({number(1), text("x\ny\n")})},
                               {text("b"), mapping({})},
                               {text(std::string(200, 'k')), number(2)},
                               {text("s"), set({text("m")})}});
  std::vector<std::pair<std::string, std::string>> lines;
  write_yaml_lines(value, {}, [&lines](const YamlLine& line) {
    lines.emplace_back(line.text, line.leaf == nullptr ? "-" : std::string(describe(line.leaf->kind())));
  });
  const std::vector<std::pair<std::string, std::string>> expected = {{"a:", "-"},
                                                                     {"  - 1", "an integer"},
                                                                     {"  - |", "text"},
                                                                     {"    x", "text"},
                                                                     {"    y", "text"},
                                                                     {"b: {}", "a mapping"},
                                                                     {"? " + std::string(200, 'k'), "-"},
                                                                     {": 2", "an integer"},
                                                                     {"s: !!set", "-"},
                                                                     {"  ? m", "text"}};
  EXPECT_EQ(lines, expected);
}

}  // namespace
}  // namespace strata::text
