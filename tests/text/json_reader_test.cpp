// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "strata/error.hpp"
#include "strata/text.hpp"

namespace strata::text {
namespace {

struct JsonReading {
  std::unique_ptr<Sources> sources = std::make_unique<Sources>();
  Document document;
  [[nodiscard]] const Value& root() const { return document.root; }
  [[nodiscard]] std::string place(const Value& value) const { return sources->place(value.origin()).to_string(); }
};

JsonReading read_from_json(std::string text, const Limits& limits = {}) {
  JsonReading result;
  const SourceId source = result.sources->add("f", std::move(text));
  result.document = read_json(*result.sources, source, limits);
  return result;
}

/// `line:column: message [code]`, with `; hint` where there is one.
std::string error_of_json(std::string text, const Limits& limits = {}) {
  try {
    static_cast<void>(read_from_json(std::move(text), limits));
  } catch (const Error& error) {
    const Diagnostic& diagnostic = error.diagnostic();
    std::string place = diagnostic.where.place.to_string();
    return place.substr(std::min<std::size_t>(2, place.size())) + ": " + diagnostic.message + " [" + diagnostic.code +
           "]" + (diagnostic.hint.empty() ? "" : "; " + diagnostic.hint);
  }
  return "no error";
}

TEST(ReadJson, KindsOfValues) {
  const JsonReading r = read_from_json(R"({"a": [1, -2, 1.5, true, false, null, "x\u00e9\ud83d\ude00\n", {}, []]})");
  const auto items = r.root().find("a")->items();
  EXPECT_EQ(items[0].as_integer(), 1);
  EXPECT_EQ(items[1].as_integer(), -2);
  EXPECT_EQ(items[2].as_floating(), 1.5);
  EXPECT_TRUE(items[3].as_boolean());
  EXPECT_FALSE(items[4].as_boolean());
  EXPECT_TRUE(items[5].is_null());
  EXPECT_EQ(items[6].text(), "xé😀\n");
  EXPECT_TRUE(items[7].is_mapping() && items[7].size() == 0);
  EXPECT_TRUE(items[8].is_sequence() && items[8].size() == 0);
}

TEST(ReadJson, NumbersAreExact) {
  const JsonReading r = read_from_json(
      "[9223372036854775807, -9223372036854775808, 9223372036854775808, -123456789012345678901234567890, 1E5, 1e400, "
      "-1e400, 1e-400,"
      " -0, -0.0, 0.1, 123456789012345678901234567890.5, 0e9999999999999999999999, 5e-324]");
  const auto items = r.root().items();
  EXPECT_EQ(items[0].as_integer(), INT64_MAX);
  EXPECT_EQ(items[1].as_integer(), INT64_MIN);
  EXPECT_EQ(items[2].kind(), Kind::big_integer);
  EXPECT_EQ(items[2].text(), "9223372036854775808");
  EXPECT_EQ(items[3].text(), "-123456789012345678901234567890");
  EXPECT_EQ(items[4].as_floating(), 1e5);
  EXPECT_EQ(items[5].as_floating(), HUGE_VAL);
  EXPECT_EQ(items[6].as_floating(), -HUGE_VAL);
  EXPECT_EQ(items[7].as_floating(), 0.0);
  EXPECT_EQ(items[8].as_integer(), 0);
  EXPECT_TRUE(std::signbit(items[9].as_floating()));
  EXPECT_EQ(items[10].as_floating(), 0.1);
  EXPECT_EQ(items[11].as_floating(), 123456789012345678901234567890.5);
  EXPECT_EQ(items[12].as_floating(), 0.0);
  EXPECT_EQ(items[13].as_floating(), 5e-324);
}

TEST(ReadJson, TakesTheNumbersThatPythonTakes) {
  const JsonReading r = read_from_json("[NaN, Infinity, -Infinity]");
  EXPECT_TRUE(std::isnan(r.root().items()[0].as_floating()));
  EXPECT_EQ(r.root().items()[1].as_floating(), HUGE_VAL);
  EXPECT_EQ(r.root().items()[2].as_floating(), -HUGE_VAL);
  EXPECT_TRUE(std::isnan(read_from_json(" NaN\n").root().as_floating()));
}

TEST(ReadJson, ScalarsAtTheTop) {
  EXPECT_EQ(read_from_json(" 12 \n").root().as_integer(), 12);
  EXPECT_EQ(read_from_json("\"a\"").root().text(), "a");
  EXPECT_TRUE(read_from_json("null").root().is_null());
}

TEST(ReadJson, EveryNodeHasItsOrigin) {
  const JsonReading r = read_from_json("{\n  \"é\": [1,\n \"x\"], \"b\" : {\"c\":null}\n}");
  EXPECT_EQ(r.place(r.root()), "f:1:1");
  const auto entries = r.root().entries();
  EXPECT_EQ(r.place(entries[0].key), "f:2:3");
  EXPECT_EQ(r.place(entries[0].value), "f:2:8");
  EXPECT_EQ(r.place(entries[0].value.items()[0]), "f:2:9");
  EXPECT_EQ(r.place(entries[0].value.items()[1]), "f:3:2");
  EXPECT_EQ(r.place(entries[1].key), "f:3:8");
  EXPECT_EQ(r.place(entries[1].value), "f:3:14");
  EXPECT_EQ(r.place(entries[1].value.entries()[0].value), "f:3:19");
}

TEST(ReadJson, EqualKeysElsewhereHaveTheirOwnOrigin) {
  const JsonReading r = read_from_json("[{\"a\": 1}, {\"a\": 2}]");
  EXPECT_EQ(r.place(r.root().items()[1].entries()[0].key), "f:1:13");
}

TEST(ReadJson, LastOfDuplicateKeysWinsAtThePlaceOfTheFirst) {
  const JsonReading r = read_from_json(R"({"a": 1, "b": 2, "a": 3})");
  ASSERT_EQ(r.root().size(), 2U);
  EXPECT_EQ(r.root().entries()[0].key.text(), "a");
  EXPECT_EQ(r.root().entries()[0].value.as_integer(), 3);
  EXPECT_EQ(r.place(r.root().entries()[0].value), "f:1:23");
}

TEST(ReadJson, StartsAtAnOffset) {
  Sources sources;
  const SourceId source = sources.add("f", "# head\n{\"a\": 1}");
  const Document document = read_json(sources, source, {}, 7);
  EXPECT_EQ(sources.place(document.root.find("a")->origin()).to_string(), "f:2:7");
}

TEST(ReadJson, Depth) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(read_from_json(nested(1000)).root().size(), 1U);
  EXPECT_EQ(error_of_json(nested(1001)),
            "1:1001: nested deeper than 1000 levels [limit.depth]; raise the limit with --limit depth=LEVELS");
  EXPECT_EQ(error_of_json(nested(200'000)).substr(0, 7), "1:1001:");
  EXPECT_EQ(error_of_json(std::string(200'000, '[')).substr(0, 6), "1:1001");
  EXPECT_EQ(error_of_json("[[[1]]]", {.depth = 2}).substr(0, 4), "1:3:");
}

TEST(ReadJson, ErrorsQuoteNothingOfASecretText) {
  for (const std::string text :
       {"[Zebra]", "[1, Z]", "{Z: 1}", "[1Z]", "[1] Z", "[0Z1]", "[\"a\" Z]", "[-Z]", "{\"a\" Z}"}) {
    Sources sources;
    const SourceId source = sources.add("f", text);
    sources.mark_secret(source);
    try {
      (void)read_json(sources, source, Limits());
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(format(error.diagnostic(), "error").find('Z'), std::string::npos)
          << format(error.diagnostic(), "error");
    }
  }
}

TEST(ReadJson, ErrorsSayWhereAndWhat) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "1:1: expected a value, found the end of the text"},
      {" \n", "2:1: expected a value, found the end of the text"},
      {"{", "1:2: expected a key in double quotes, found the end of the text"},
      {"[1", "1:3: expected ',' or ']', found the end of the text"},
      {"[1,", "1:4: expected a value, found the end of the text"},
      {"[1}", "1:3: expected ',' or ']', found '}'"},
      {"[1,]", "1:4: expected a value after ',', found ']'; JSON allows no comma before ']'"},
      {"{\"a\": 1,\n}", "2:1: expected a key in double quotes after ',', found '}'; JSON allows no comma before '}'"},
      {"{\"a\" 1}", "1:6: expected ':' after the key, found '1'"},
      {"{a: 1}", "1:2: expected a key in double quotes, found 'a'"},
      {"{'a': 1}", "1:2: expected a key in double quotes, found '''; JSON strings are written in double quotes"},
      {"{1: 1}", "1:2: expected a key in double quotes, found '1'"},
      {"[1 2]", "1:4: expected ',' or ']', found '2'"},
      {"[1] x", "1:5: expected the end of the text after the value, found 'x'"},
      {"{} {}", "1:4: expected the end of the text after the value, found '{'"},
      {"1 2", "1:3: expected the end of the text after the value, found '2'"},
      {"\"a\" 2", "1:5: expected the end of the text after the value, found '2'"},
      {"[01]", "1:2: the number 01 begins with 0; write it without the leading zeros, or in double quotes"},
      {"[1.]", "1:4: expected a digit after '.', found ']'"},
      {"[1.5e+]", "1:7: expected a digit after '+', found ']'"},
      {"[-]", "1:3: expected a digit after '-', found ']'"},
      {"[+1]", "1:2: expected a value, found '+'"},
      {"[1x]", "1:3: expected the end of the number, found 'x'"},
      {"[True]", "1:2: expected a value, found 'T'; write true or false in lower case"},
      {"[nul]", "1:2: expected a value, found 'n'"},
      {"[1, // c\n2]", "1:5: expected a value, found '/'; JSON has no comments"},
      {"[\"a\nb\"]", "1:4: expected the closing quote of a string, found the end of the line; write it as \\n"},
      {"[\"a\tb\"]",
       "1:4: expected the closing quote of a string, found the control character U+0009; write it as \\t"},
      {"[\"abc", "1:2: this string has no closing quote"},
      {"[\"\\x\"]", "1:3: unknown escape in a string; a backslash itself is written \\\\"},
      {"[\"\\u12g4\"]", "1:3: expected four hexadecimal digits after \\u"},
      {"[\"\\ud800\"]", "1:3: half of a surrogate pair is not a character; write both halves: \\ud83d\\ude00"},
      {"[\"\\ud800\\u0041\"]", "1:3: half of a surrogate pair is not a character; write both halves: \\ud83d\\ude00"},
      {"[\"é\xFF\"]", "1:4: the text is not valid UTF-8 here; save it as UTF-8"},
      {"\xEF\xBB\xBF{}", "1:1: the text begins with a byte order mark; save it as UTF-8 without a byte order mark"},
      {"]", "1:1: expected a value, found ']'"},
      {"[,1]", "1:2: expected a value, found ','"},
      {"{\"a\":}", "1:6: expected a value, found '}'"},
      {"[\"a\" \"b\"]", "1:6: expected ',' or ']', found '\"'"},
      {"[\"a\"b]", "1:5: expected ',' or ']', found 'b'"},
      {"{\"a\": 1 \"b\": 2}", "1:9: expected ',' or '}', found '\"'"},
  };
  for (const auto& [text, expected] : cases) {
    std::string wanted = expected;
    const std::size_t hint = wanted.find("; ");
    wanted.insert(hint == std::string::npos ? wanted.size() : hint, " [json.syntax]");
    EXPECT_EQ(error_of_json(text), wanted) << text;
  }
}

TEST(ReadJson, InputLimit) {
  EXPECT_EQ(error_of_json("[1, 2]", {.input = 5}).substr(0, 34), "1:1: the text has 6 bytes, more th");
}

/// What Ruby's dialect makes of a text: the value, or the error.
std::string as_ruby(const std::string& text) {
  Sources sources;
  try {
    std::string out;
    append_json(out, read_json(sources, sources.add("f", text), {}, 0, kRubyJson).root, {.indent = -1});
    return out;
  } catch (const Error& error) {
    return error.diagnostic().where.place.to_string() + " " + error.diagnostic().message;
  }
}

TEST(ReadRubyJson, IsReadAsTheReferenceReadsIt) {
  const std::string deep(100, '[');
  const std::string deeper(101, '[');
  for (const auto& [text, wanted] : std::to_array<std::pair<std::string, std::string>>({
           {"/* a \" */ {\"a\": // x, y\n 1 /**/, \"b\": \"// /* */\"}/***/", R"({"a": 1, "b": "// /* */"})"},
           {R"({"a": 1, "b": 2, "a": 3})", R"({"a": 3, "b": 2})"},
           {R"(["\q\'\é\\\/\b\u00e9\ud83d\ude00"])", R"(["q'é\\/\bé😀"])"},
           {R"({"\a\u0041": 1})", R"({"aA": 1})"},
           {R"("\x")", R"("x")"},
           {"[12345678901234567890123, -0, 1E+2]", "[12345678901234567890123, 0, 100.0]"},
           {"2", "2"},
           {deep + std::string(100, ']'), deep + std::string(100, ']')},
           {deeper + std::string(101, ']'), "f:1:101 nested deeper than 100 levels"},
           {"[1] // x", "f:1:5 expected the end of the text after the value, found '/'"},
           {"[1, /* x", "f:1:5 expected a value, found '/'"},
           {"[1/**/2]", "f:1:7 expected ',' or ']', found '2'"},
           {"[NaN]", "f:1:2 JSON has no number NaN"},
           {"[-Infinity]", "f:1:2 JSON has no number -Infinity"},
           {"[1,]", "f:1:4 expected a value after ',', found ']'"},
           {"['a']", "f:1:2 expected a value, found '''"},
           {"\xEF\xBB\xBF{}", "f:1:1 the text begins with a byte order mark"},
           {"", "f:1:1 expected a value, found the end of the text"},
           {"[01]", "f:1:2 the number 01 begins with 0"},
           {"[\"a\nb\"]", "f:1:4 expected the closing quote of a string, found the end of the line"},
           {"[\"\\q\\ud800\"]", "f:1:5 half of a surrogate pair is not a character"},
           {R"(["\q\u12"])", "f:1:5 expected four hexadecimal digits after \\u"},
       })) {
    EXPECT_EQ(as_ruby(text), wanted) << text;
  }
}

TEST(ReadRubyJson, KeepsPlacesBehindComments) {
  Sources sources;
  const Document document = read_json(sources, sources.add("f", "/* é\n */ {\"a\": 1}"), {}, 0, kRubyJson);
  EXPECT_EQ(sources.place(document.root.find("a")->origin()).to_string(), "f:2:11");
}

}  // namespace
}  // namespace strata::text
