// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "strata/error.hpp"
#include "strata/scalar_text.hpp"
#include "strata/text.hpp"
#include "text/read_text.hpp"

namespace strata::text {
namespace {

using testing::ScalarCase;

class PsychReading : public testing::Read {
 public:
  explicit PsychReading(std::string text, const Profile& profile = psych(), const Limits& limits = {})
      : testing::Read(std::move(text), profile, limits) {}
};

std::string error_of_psych(const std::string& text, const Profile& profile = psych(), const Limits& limits = {}) {
  return testing::error_of(text, profile, limits);
}

class PsychScalars : public ::testing::TestWithParam<ScalarCase> {};

TEST_P(PsychScalars, AreWhatTheReferenceReads) {
  const PsychReading read(std::string("k: ") + GetParam().text + "\n");
  const Value value = *read.root().find("k");
  EXPECT_EQ(describe(value.kind()), GetParam().kind);
  EXPECT_EQ(scalar_text(value), GetParam().value);
}

// Rule: Hiera's specification, section 7; all seen by running Psych 4.0.3.
INSTANTIATE_TEST_SUITE_P(Words, PsychScalars,
                         ::testing::Values(ScalarCase{"", "null", "null"}, ScalarCase{"~", "null", "null"},
                                           ScalarCase{"nULL", "null", "null"}, ScalarCase{"nil", "text", "nil"},
                                           ScalarCase{"None", "text", "None"}, ScalarCase{"yEs", "a boolean", "true"},
                                           ScalarCase{"oFF", "a boolean", "false"},
                                           ScalarCase{"tRUE", "a boolean", "true"},
                                           ScalarCase{"fal\u017Fe", "a boolean", "false"},
                                           ScalarCase{"o\uFB00", "a boolean", "false"}, ScalarCase{"y", "text", "y"},
                                           ScalarCase{"N", "text", "N"}, ScalarCase{"truer", "text", "truer"},
                                           ScalarCase{"on\n\n  no", "a boolean", "true"},
                                           ScalarCase{"on\n\n  x", "text", "on\nx"}, ScalarCase{"'yes'", "text", "yes"},
                                           ScalarCase{"=", "text", "="}, ScalarCase{"<<", "text", "<<"}));

INSTANTIATE_TEST_SUITE_P(
    Integers, PsychScalars,
    ::testing::Values(ScalarCase{"1,000", "an integer", "1000"}, ScalarCase{"1,00", "an integer", "100"},
                      ScalarCase{"1_000", "an integer", "1000"}, ScalarCase{"1_", "text", "1_"},
                      ScalarCase{"_1", "text", "_1"}, ScalarCase{"1,,0", "text", "1,,0"},
                      ScalarCase{"010", "an integer", "8"}, ScalarCase{"-010", "an integer", "-8"},
                      ScalarCase{"00", "an integer", "0"}, ScalarCase{"0,5", "an integer", "5"},
                      ScalarCase{"0_", "an integer", "0"}, ScalarCase{"08", "text", "08"},
                      ScalarCase{"0o14", "text", "0o14"}, ScalarCase{"0x1F", "an integer", "31"},
                      ScalarCase{"0x", "text", "0x"}, ScalarCase{"0b11", "an integer", "3"},
                      ScalarCase{"0b2", "text", "0b2"}, ScalarCase{"20240102", "an integer", "20240102"},
                      ScalarCase{"12345678901234567890123", "an integer", "12345678901234567890123"},
                      ScalarCase{"1:30", "an integer", "5400"}, ScalarCase{"09:30", "an integer", "34200"},
                      ScalarCase{"1:5", "an integer", "3900"}, ScalarCase{"-1:30", "an integer", "-1800"},
                      ScalarCase{"-0:30", "an integer", "1800"}, ScalarCase{"23:59:59", "an integer", "86399"},
                      ScalarCase{"190:20:30", "an integer", "685230"}, ScalarCase{"1:60", "text", "1:60"},
                      ScalarCase{"1:2:3:4", "text", "1:2:3:4"}, ScalarCase{"1__2:30", "an integer", "5400"},
                      ScalarCase{"9999999999999999:9", "an integer", "35999999999999996940"},
                      ScalarCase{"-9999999999999999:9", "an integer", "-35999999999999995860"}));

INSTANTIATE_TEST_SUITE_P(
    Floats, PsychScalars,
    ::testing::Values(ScalarCase{"1.", "a float", "1.0"}, ScalarCase{".5", "a float", "0.5"},
                      ScalarCase{"-.5", "a float", "-0.5"}, ScalarCase{"1.0e+3", "a float", "1000.0"},
                      ScalarCase{"1.e+3", "a float", "1000.0"}, ScalarCase{"1e3", "text", "1e3"},
                      ScalarCase{"1.5E3", "text", "1.5E3"}, ScalarCase{"1.e5", "text", "1.e5"},
                      ScalarCase{".5e1", "text", ".5e1"}, ScalarCase{"1_0.5", "a float", "10.5"},
                      ScalarCase{"1,5.5", "a float", "15.5"}, ScalarCase{"0.1_2", "text", "0.1_2"},
                      ScalarCase{"6.02e+23", "a float", "6.02e+23"}, ScalarCase{".iNf", "a float", ".inf"},
                      ScalarCase{"+.inf", "a float", ".inf"}, ScalarCase{"-.INF", "a float", "-.inf"},
                      ScalarCase{".NaN", "a float", ".nan"}, ScalarCase{"-.nan", "text", "-.nan"},
                      ScalarCase{"12:30:45.5", "a float", "45045.5"}, ScalarCase{"1:30._5", "a float", "5400.0"},
                      ScalarCase{".", "text", "."}, ScalarCase{"1.2.3", "text", "1.2.3"},
                      ScalarCase{"1.10", "a float", "1.1"}));

INSTANTIATE_TEST_SUITE_P(
    Tags, PsychScalars,
    ::testing::Values(ScalarCase{"! 12", "an integer", "12"}, ScalarCase{"! '12'", "an integer", "12"},
                      ScalarCase{"!foo '12'", "an integer", "12"}, ScalarCase{"!!foo yes", "a boolean", "true"},
                      ScalarCase{"!!str 12", "text", "12"}, ScalarCase{"!str 12", "text", "12"},
                      ScalarCase{"!!int abc", "text", "abc"}, ScalarCase{"!!int '1_0'", "an integer", "10"},
                      ScalarCase{"!!null abc", "text", "abc"}, ScalarCase{"!!float 1", "a float", "1.0"},
                      ScalarCase{"!!float 1e3", "a float", "1000.0"}, ScalarCase{"!!float 0x1.8p3", "a float", "12.0"},
                      ScalarCase{"!!float ' 1_0 '", "a float", "10.0"}, ScalarCase{"!!binary aGk=", "text", "hi"},
                      ScalarCase{"!!binary aGk=aGk=", "text", "hi"}, ScalarCase{"!!binary é", "text", ""},
                      ScalarCase{"!!binary /w==", "binary data", "/w=="},
                      ScalarCase{"!ruby/object:Foo x", "text", "x"}));

TEST(PsychReader, TakesWordsBehindAColonForSymbols) {
  for (const auto& [text, name] : std::to_array<std::pair<const char*, const char*>>({{":a", "a"},
                                                                                      {":\"a b\"", "a b"},
                                                                                      {":'x'y", "x"},
                                                                                      {"::a", ":a"},
                                                                                      {":\":a\"", "a"},
                                                                                      {":\"a", "\"a"},
                                                                                      {":\"\"", ""},
                                                                                      {"!ruby/sym a", "a"},
                                                                                      {"!ruby/symbol ':a'", ":a"},
                                                                                      {"!ruby/symbols a", "a"}})) {
    const PsychReading read(std::string("k: ") + text + "\n");
    const Value value = *read.root().find("k");
    ASSERT_EQ(value.kind(), Kind::object) << text;
    const auto* symbol = dynamic_cast<const Symbol*>(&value.as_object());
    ASSERT_NE(symbol, nullptr) << text;
    EXPECT_EQ(symbol->name(), name) << text;
    EXPECT_TRUE(symbol->equals(Symbol(name)));
    EXPECT_FALSE(symbol->equals(Symbol(std::string(name) + "x")));
    EXPECT_EQ(symbol->hash(), Symbol(name).hash());
  }
  EXPECT_TRUE(PsychReading("k: ':a'").root().find("k")->is_text());
}

TEST(PsychReader, GivesDocumentsInMergedForm) {
  for (const auto& [text, json] : std::to_array<std::pair<const char*, const char*>>({
           {"a: 1\nb: 2\na: 3\n", R"({"a": 3, "b": 2})"},
           {"y: 2\n<<: {x: 1, y: 1}\n", R"({"y": 1, "x": 1})"},
           {"<<: {x: 1, y: 1}\ny: 2\nz: 3\n", R"({"x": 1, "y": 2, "z": 3})"},
           {"<<: [{x: 1, y: 1}, {y: 2, z: 2}]\nw: 0\n", R"({"y": 1, "z": 2, "x": 1, "w": 0})"},
           {"<<: {a: 1}\n'<<': {a: 2}\n", R"({"a": 2})"},
           {"<<: text\n", R"({"<<": "text"})"},
           {"a: 1\n<<:\nb: 2\n", R"({"a": 1, "<<": null, "b": 2})"},
           {"<<: [{a: 1}, 2]\n", R"({"<<": [{"a": 1}, 2]})"},
           {"<<: []\na: 1\n", R"({"a": 1})"},
           {"!!str <<: {a: 1}\n", R"({"<<": {"a": 1}})"},
           {"a: &a [{x: 1}]\nb:\n  <<: *a\n", R"({"a": [{"x": 1}], "b": {"<<": [{"x": 1}]}})"},
           {"a: &a {x: 1}\nb: {<<: *a, y: 2}\n", R"({"a": {"x": 1}, "b": {"x": 1, "y": 2}})"},
           {"<<: !!omap []\na: 1\n", R"({"a": 1})"},
           {"<<: !!omap [a: 1]\n", R"({"<<": {"a": 1}})"},
           {"!!omap [a: 1, <<: {b: 1}, [c, 2, 3], a: 4]", R"({"a": 4, "<<": {"b": 1}, "c": 3})"},
           {"!!set [a]", R"(["a"])"},
           {"!ruby/object:Hash {a: 1}", R"({"a": 1})"},
           {"!foo {a: !bar [1]}", R"({"a": [1]})"},
           {"a: &x 1\nb: &x 2\nc: *x\n", R"({"a": 1, "b": 2, "c": 2})"},
           {"- &x [&x 1]\n- *x\n", "[[1], 1]"},
           {":a: 1\nb:\n  :c:\n  - :d: 2\n", R"({"a": 1, "b": {"c": [{"d": 2}]}})"},
           {"k: 1\nx: 2\n:k: 3\n", R"({"k": 3, "x": 2})"},
           {"k: 1\n:k: 2\nk: 3\n", R"({"k": 2})"},
           {"---\n---\na: 1\n", "null"},
           {"%YAML 1.2\n---\na: 1\n---\nb: [", R"({"a": 1})"},
           {"a: 1\n...\n@", R"({"a": 1})"},
           {"\xEF\xBB\xBF"
            "a: 1\r\nb: 2\r\n",
            R"({"a": 1, "b": 2})"},
           {"[1]: a\n{b: 1}: c\n? null\n", R"({"[1]": "a", "{b: 1}": "c", "null": null})"},
       })) {
    EXPECT_EQ(PsychReading(text).json(), json) << text;
  }
  EXPECT_FALSE(PsychReading("# comments only\n").root());
  EXPECT_TRUE(PsychReading("---").root().is_null());
}

TEST(PsychReader, ReadsTheFirstDocumentOfAStream) {
  Sources sources;
  const auto documents = read_yaml_stream(sources, sources.add("f", "a: 1\n---\nb: ["), psych(), {});
  ASSERT_EQ(documents.size(), 1U);
  EXPECT_EQ(documents[0].root.find("a")->as_integer(), 1);
}

TEST(PsychReader, FactsHaveNoSymbols) {
  const Profile& facts = *find_profile("psych-facts");
  EXPECT_EQ(error_of_psych(":a: 1", facts), "1:1 yaml.forbidden");
  EXPECT_EQ(error_of_psych("- :b", facts), "1:3 yaml.forbidden");
  EXPECT_EQ(error_of_psych("a: !ruby/sym b", facts), "1:14 yaml.forbidden");
  EXPECT_EQ(error_of_psych("a: ':b'", facts), "none");
}

TEST(PsychReader, KeepsOriginsOfMergedAndSymbolKeys) {
  const PsychReading read("a: &a\n  :x: 1\nb:\n  <<: *a\n");
  const Entry& entry = read.root().find("b")->entries().front();
  EXPECT_EQ(entry.key.text(), "x");
  EXPECT_EQ(read.place(entry.key).to_string(), "f.yaml:2:3");
  EXPECT_EQ(read.place(entry.value).to_string().substr(0, 10), "f.yaml:2:7");
}

/// Places of the keys that took the value of one that was written before.
std::string repeated(const std::string& text, const Profile& profile) {
  Sources sources;
  const Document document = read_yaml(sources, sources.add("f", text), profile, Limits());
  std::string out;
  for (const RepeatedKey& key : document.repeated_keys) out += sources.place(key.later).to_string().substr(2) + ' ';
  return out;
}

TEST(PsychReader, MembersInPlaceOfMergedOnesRepeatNothing) {
  const std::string base = "x: &b {p: 1, q: 2}\n";
  for (const Profile* profile : {&psych(), &pyyaml()}) {
    EXPECT_EQ(repeated(base + "d: {<<: *b, p: 3}\n", *profile), "");
    EXPECT_EQ(repeated(base + "d: {<<: [*b, {p: 3}], q: 3, <<: *b}\n", *profile), profile == &psych() ? "1:14 " : "");
    EXPECT_EQ(repeated(base + "d: {<<: *b, p: 3, p: 4}\n", *profile), "2:19 ");
    EXPECT_EQ(repeated(base + "d: {<<: *b, e: {<<: *b, q: 1}, p: 4, r: 1, r: 2}\n", *profile), "2:44 ");
  }
  EXPECT_EQ(repeated(base + "d: {p: 3, <<: *b}\n", psych()),
            "1:8 ");  // With Ruby, the merge takes the value that was there.
  EXPECT_EQ(repeated(base + "d: {p: 3, <<: *b}\n", pyyaml()), "");
}

TEST(PyYamlReader, DuplicateKeysAreNamedAsTheyAreWritten) {
  struct Row {
    std::string text;
    std::string names;
  };
  for (const Row& row : std::initializer_list<Row>{{"{on: 1, yes: 2}", "yes=on 1:9 1:2"},
                                                   {"{a: 1, 'a': 2}", "a 1:8 1:2"},
                                                   {"1: a\n1.0 : b\n", "1.0=1 2:1 1:1"},
                                                   {"~: a\nnull: b\n", "null=~ 2:1 1:1"},
                                                   {"? yes\n: a\n? yes\n: b\n", "yes 3:3 1:3"},
                                                   {"12:30:45: a\n12:30:45: b\n", "12:30:45 2:1 1:1"},
                                                   {"&k yes: a\n*k : b\n", "true=yes 2:1 1:4"}}) {
    Sources sources;
    const Document document = read_yaml(sources, sources.add("f", row.text), pyyaml(), Limits());
    ASSERT_EQ(document.repeated_keys.size(), 1U) << row.text;
    const RepeatedKey& key = document.repeated_keys.front();
    const auto place = [&](Origin origin) {
      const Place found = sources.place(origin);
      const Place& written = found.via ? *found.via : found;
      return std::to_string(*written.line) + ":" + std::to_string(*written.column);
    };
    const std::string told = key.name + (key.earlier_name.empty() ? "" : "=" + key.earlier_name) + " " +
                             place(key.later) + " " + place(key.earlier);
    EXPECT_EQ(told, row.names) << row.text;
  }
}

TEST(Core12Reader, DuplicateKeysAreErrorsWithBothPlaces) {
  Sources sources;
  try {
    (void)read_yaml(sources, sources.add("f", "a: 1\na: 2\n"), core12(), Limits());
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the key 'a' occurs twice in one mapping");
    ASSERT_EQ(error.diagnostic().notes.size(), 1U);
    EXPECT_EQ(error.diagnostic().notes[0].place.to_string(), "f:1:1");
  }
}

struct ErrorCase {
  const char* text;
  const char* error;
};

class PsychErrors : public ::testing::TestWithParam<ErrorCase> {};

TEST_P(PsychErrors, EndTheReading) { EXPECT_EQ(error_of_psych(GetParam().text), GetParam().error) << GetParam().text; }

INSTANTIATE_TEST_SUITE_P(
    Table, PsychErrors,
    ::testing::Values(
        ErrorCase{"a: 1\nb: 2024-01-02\n", "2:4 yaml.forbidden"}, ErrorCase{"b: 2024-1-2", "1:4 yaml.forbidden"},
        ErrorCase{"2024-02-31: b", "1:1 yaml.forbidden"}, ErrorCase{"b: 2024-13-45", "none"},
        ErrorCase{"b: 2024-01", "none"}, ErrorCase{"b: '2024-01-02'", "none"}, ErrorCase{"b: -2024-01-02", "none"},
        ErrorCase{"b: 2024-01-02 03:04:05", "1:4 yaml.forbidden"},
        ErrorCase{"b: 2024-01-02T03:04:05Z", "1:4 yaml.forbidden"},
        ErrorCase{"b: -2024-99-99 3:04:05.5 +01:", "1:4 yaml.forbidden"},
        ErrorCase{"b: 2024-01-02 03:04:05 +12345", "none"}, ErrorCase{"b: 2024-01-02 3:4:5", "none"},
        ErrorCase{"b: !!set {a}", "1:4 yaml.forbidden"}, ErrorCase{"b: !!omap {a: 1}", "1:4 yaml.forbidden"},
        ErrorCase{"b: !ruby/object:Foo {a: 1}", "1:4 yaml.forbidden"},
        ErrorCase{"b: !ruby/regexp /a/", "1:17 yaml.forbidden"},
        ErrorCase{"b: !ruby/range 1..2", "1:16 yaml.forbidden"}, ErrorCase{"b: !str:Foo x", "1:13 yaml.forbidden"},
        ErrorCase{"!!omap [a]", "1:9 yaml.tag"}, ErrorCase{"!!omap [{}]", "1:9 yaml.tag"},
        ErrorCase{"!!float x", "1:9 yaml.scalar"}, ErrorCase{"a: 0x_", "1:4 yaml.scalar"},
        ErrorCase{"a: .e+3", "1:4 yaml.scalar"}, ErrorCase{"[a, :b]", "1:5 yaml.syntax"},
        ErrorCase{"*x", "1:1 yaml.alias"}, ErrorCase{"&a [*a]", "1:5 yaml.alias"},
        ErrorCase{"a: \x01", "1:4 yaml.encoding"}, ErrorCase{"a: \xFF", "1:4 yaml.encoding"},
        ErrorCase{"\xFF\xFE"
                  "a",
                  "1:1 yaml.encoding"},
        ErrorCase{"%YAML 2.0\n---\na", "1:1 yaml.syntax"}));

TEST(PsychReader, SaysToQuoteDates) {
  try {
    const PsychReading read("since: 2024-01-02\n");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostic().message, "'2024-01-02' is a date or time, which is not allowed here");
    EXPECT_EQ(error.diagnostic().hint, "quote it, so that it is text");
  }
}

TEST(PsychReader, BoundsWhatMergingAdds) {
  std::string text = "a0: &a0 {x: 1, y: 2}\n";
  for (int i = 1; i < 40; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " {l: " + last + ", r: " + last + "}\n";
  }
  EXPECT_EQ(error_of_psych(text).substr(error_of_psych(text).find(' ') + 1), "limit.aliases");
}

TEST(PsychReader, RenamesSymbolKeysOnceHoweverOftenTheyAreAliased) {
  std::string text = "a0: &a0\n  :x: 1\n";
  for (int i = 1; i < 20; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " {l: " + last + ", r: " + last + "}\n";
  }
  const PsychReading read(text);
  Value value = *read.root().find("a19");
  EXPECT_EQ(value.find("l")->entries().data(), value.find("r")->entries().data());
  while (const Value* inner = value.find("l")) value = *inner;
  EXPECT_EQ(value.find("x")->as_integer(), 1);
}

TEST(PsychReader, IsFoundByName) { EXPECT_EQ(find_profile("psych"), &psych()); }

}  // namespace
}  // namespace strata::text
