// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "strata/error.hpp"
#include "strata/scalar_text.hpp"
#include "strata/text.hpp"
#include "text/read_text.hpp"

namespace strata::text {
namespace {

using testing::ScalarCase;

class PyYamlReading : public testing::Read {
 public:
  explicit PyYamlReading(std::string text, const Profile& profile = pyyaml(), const Limits& limits = {})
      : testing::Read(std::move(text), profile, limits) {}
};

std::string error_of_pyyaml(const std::string& text, const Profile& profile = pyyaml(), const Limits& limits = {}) {
  return testing::error_of(text, profile, limits);
}

class PyYamlScalars : public ::testing::TestWithParam<ScalarCase> {};

TEST_P(PyYamlScalars, AreWhatTheReferenceReads) {
  const PyYamlReading read(std::string("k: ") + GetParam().text + "\n");
  const Value value = *read.root().find("k");
  EXPECT_EQ(describe(value.kind()), GetParam().kind);
  EXPECT_EQ(scalar_text(value), GetParam().value);
}

// Rule: cloud-init's specification, section 12; all seen by running PyYAML 6.0.
INSTANTIATE_TEST_SUITE_P(
    Table, PyYamlScalars,
    ::testing::Values(ScalarCase{"yes", "a boolean", "true"}, ScalarCase{"OFF", "a boolean", "false"},
                      ScalarCase{"yEs", "text", "yEs"}, ScalarCase{"y", "text", "y"}, ScalarCase{"~", "null", "null"},
                      ScalarCase{"Null", "null", "null"}, ScalarCase{"nULL", "text", "nULL"},
                      ScalarCase{"010", "an integer", "8"}, ScalarCase{"0o17", "text", "0o17"},
                      ScalarCase{"0x1F", "an integer", "31"}, ScalarCase{"0b11", "an integer", "3"},
                      ScalarCase{"1_000", "an integer", "1000"}, ScalarCase{"1__2", "an integer", "12"},
                      ScalarCase{"_1", "text", "_1"}, ScalarCase{"08", "text", "08"},
                      ScalarCase{"-1:30", "an integer", "-90"}, ScalarCase{"190:20:30", "an integer", "685230"},
                      ScalarCase{"1:60", "text", "1:60"},
                      ScalarCase{"12345678901234567890123", "an integer", "12345678901234567890123"},
                      ScalarCase{"-9223372036854775808", "an integer", "-9223372036854775808"},
                      ScalarCase{"0xFFFFFFFFFFFFFFFFFF", "an integer", "4722366482869645213695"},
                      ScalarCase{"1.5", "a float", "1.5"}, ScalarCase{"1e3", "text", "1e3"},
                      ScalarCase{"1.5e3", "text", "1.5e3"}, ScalarCase{"1.0e+3", "a float", "1000.0"},
                      ScalarCase{".5", "a float", "0.5"}, ScalarCase{"-.5", "text", "-.5"},
                      ScalarCase{"1.", "a float", "1.0"}, ScalarCase{"6:30.5", "a float", "390.5"},
                      ScalarCase{"-.INF", "a float", "-.inf"}, ScalarCase{".NaN", "a float", ".nan"},
                      ScalarCase{"2001-12-14", "a date", "2001-12-14"}, ScalarCase{"2001-1-2", "text", "2001-1-2"},
                      ScalarCase{"2001-12-14t21:59:43.10-05:00", "a timestamp", "2001-12-14T21:59:43.100000-05:00"},
                      ScalarCase{"'yes'", "text", "yes"}, ScalarCase{"! 12", "an integer", "12"},
                      ScalarCase{"!!str 12", "text", "12"}, ScalarCase{"!!float 1", "a float", "1.0"},
                      ScalarCase{"!!binary aGk=", "binary data", "aGk="}));

TEST(YamlReader, CountsColumnsInCodePoints) {
  const PyYamlReading read("ä: {ö: \"x\", e: {}}\nn:\nq: &a 'v'\nt: !!str\n  12\n");
  EXPECT_EQ(read.place(*read.root().find("ä")->find("ö")).to_string(), "f.yaml:1:8");
  EXPECT_EQ(read.place(*read.root().find("ä")->find("e")).to_string(), "f.yaml:1:16");
  EXPECT_EQ(read.at("n"), "f.yaml:2:1") << "an implicit null has the place of its key";
  EXPECT_EQ(read.at("q"), "f.yaml:3:7") << "after the anchor, at the quote";
  EXPECT_EQ(read.at("t"), "f.yaml:5:3") << "after the tag";
}

TEST(YamlReader, PlacesSurviveLineEndsAndMarks) {
  const PyYamlReading crlf("a: 1\r\nb: 2\r\n");
  EXPECT_EQ(crlf.at("b"), "f.yaml:2:4");
  const PyYamlReading marked(
      "\xEF\xBB\xBF"
      "a: 1\n");
  EXPECT_EQ(marked.json(), R"({"a": 1})");
}

TEST(YamlReader, AliasesStandAtTheirAnchorAndSayHowTheyWereReached) {
  const PyYamlReading read("x: &x {a: 1}\ny: *x\nz: {<<: *x, b: 2}\ns: &s 5\nt: *s\n");
  EXPECT_EQ(read.json(), R"({"x": {"a": 1}, "y": {"a": 1}, "z": {"a": 1, "b": 2}, "s": 5, "t": 5})");
  EXPECT_EQ(read.at("t"), "f.yaml:4:7");
  EXPECT_EQ(read.place(*read.root().find("t")).via->to_string(), "f.yaml:5:4");
  EXPECT_EQ(read.place(*read.root().find("z")->find("a")).to_string(), "f.yaml:1:11");
  EXPECT_EQ(read.place(*read.root().find("z")->find("a")).via->to_string(), "f.yaml:3:9");
}

TEST(YamlReader, MergesAsPyYaml) {
  EXPECT_EQ(PyYamlReading("{<<: [{a: 1, b: 1}, {b: 2, c: 2}], c: 3}").json(), R"({"b": 1, "c": 3, "a": 1})");
  EXPECT_EQ(PyYamlReading("{b: 0, <<: {a: 1, b: 1}}").json(), R"({"a": 1, "b": 0})");
  EXPECT_EQ(PyYamlReading("{'<<': {a: 1}}").json(), R"({"<<": {"a": 1}})") << "a quoted one is a key";
  EXPECT_EQ(error_of_pyyaml("<<: 5\n"), "1:5 yaml.merge-key");
  EXPECT_EQ(PyYamlReading("{<<: {a: 1}}", core12()).json(), R"({"<<": {"a": 1}})");
}

TEST(YamlReader, KeysFoldAsInPython) {
  const PyYamlReading read("1: a\ntrue: b\n1.0: c\nnull: d\n");
  EXPECT_EQ(read.root().size(), 2U);
  EXPECT_EQ(read.root().entries()[0].key.kind(), Kind::integer) << "the first spelling is kept";
  EXPECT_EQ(read.root().entries()[0].value.text(), "c");
  EXPECT_EQ(PyYamlReading("{a: 1, b: 2, a: 3}").json(), R"({"a": 3, "b": 2})");
}

TEST(YamlReader, SetsAndPairs) {
  EXPECT_EQ(PyYamlReading("a: &a {x: 1}\nb: !!set {<<: *a, y}\n").json(), R"({"a": {"x": 1}, "b": ["x", "y"]})");
  EXPECT_EQ(PyYamlReading("!!set {x, y}").root().kind(), Kind::set);
  EXPECT_EQ(PyYamlReading("!!omap [a: 1, b: 2]").json(), R"([["a", 1], ["b", 2]])");
  EXPECT_EQ(error_of_pyyaml("!!omap [{a: 1, b: 2}]"), "1:9 yaml.tag");
}

TEST(YamlReader, SaysWhereItIsWrong) {
  EXPECT_EQ(error_of_pyyaml("a: [1,\nb: 2\n"), "3:1 yaml.syntax");
  EXPECT_EQ(error_of_pyyaml("a: *nope\n"), "1:4 yaml.alias");
  EXPECT_EQ(error_of_pyyaml("a: &x [*x]\n"), "1:8 yaml.alias");
  EXPECT_EQ(error_of_pyyaml("a: &x 1\nb: &x 2\n"), "2:4 yaml.anchor");
  EXPECT_EQ(error_of_pyyaml("? [a]\n: 1\n"), "1:3 yaml.key");
  EXPECT_EQ(error_of_pyyaml("a: !foo b\n"), "1:9 yaml.tag");
  EXPECT_EQ(error_of_pyyaml("a: 1\n---\nb: 2\n"), "2:1 yaml.documents");
  EXPECT_EQ(error_of_pyyaml("a: 2001-02-31\n"), "1:4 yaml.scalar");
  EXPECT_EQ(error_of_pyyaml("a: =\n"), "1:4 yaml.tag");
  EXPECT_EQ(error_of_pyyaml(std::string("a: \xFF\n")), "1:4 yaml.encoding");
  EXPECT_EQ(error_of_pyyaml("a: 1\na: 2\n", core12()), "2:1 yaml.duplicate-key");
}

TEST(YamlReader, RefusesTabsWherePyYamlDoes) {
  EXPECT_EQ(error_of_pyyaml("a:\t1\n"), "1:3 yaml.syntax");
  EXPECT_EQ(error_of_pyyaml("a: b\t\n"), "1:5 yaml.syntax");
  EXPECT_EQ(error_of_pyyaml("\xEF\xBB\xBF"
                            "a: b\t\n"),
            "1:6 yaml.syntax");
  EXPECT_EQ(error_of_pyyaml("a: b # c\td\n"), "none");
  EXPECT_EQ(error_of_pyyaml("a: 'b\tc'\n"), "none");
  EXPECT_EQ(error_of_pyyaml("a: |\n  b\tc\n"), "none");
  EXPECT_EQ(error_of_pyyaml("a: [b?c]\n"), "1:6 yaml.syntax");
  EXPECT_EQ(error_of_pyyaml("a:\t1\n", core12()), "none");
}

TEST(YamlReader, RefusesWhatOnlyLibyamlReads) {
  EXPECT_EQ(error_of_pyyaml("a: |#\n"), "1:5 yaml.syntax");
  EXPECT_EQ(error_of_pyyaml("[!!str,a]\n"), "1:7 yaml.syntax");
  EXPECT_EQ(error_of_pyyaml("a: !!binary é\n"), "1:13 yaml.scalar");
}

TEST(YamlReader, ReadsWhatOnlyPyYamlReads) {
  const PyYamlReading flow("é: [a:, {b:}]\nc: {d:[1]}\n");
  EXPECT_EQ(flow.json(), R"({"é": [{"a": null}, {"b": null}], "c": {"d": [1]}})");
  EXPECT_EQ(flow.place(flow.root().find("c")->find("d")->items()[0]).to_string(), "f.yaml:2:8");
  const PyYamlReading block("a:\n- b: |\n    \tx\n     y\n  c: 1\n");
  EXPECT_EQ(block.json(), R"({"a": [{"b": "\tx\n y\n", "c": 1}]})");
  EXPECT_EQ(block.place(*block.root().find("a")->items()[0].find("c")).to_string(), "f.yaml:5:6");
  EXPECT_EQ(error_of_pyyaml("[a:]\n", core12()), "1:3 yaml.syntax");
  // Each such place costs another reading, so their number has a limit.
  const auto many = [](int count) {
    std::string text = "[";
    for (int i = 0; i < count; ++i) text += "a:,";
    return text + "]\n";
  };
  EXPECT_EQ(error_of_pyyaml(many(1000)), "none");
  EXPECT_TRUE(error_of_pyyaml(many(200'000)).ends_with(" yaml.syntax"));
}

TEST(YamlReader, ReadsCharactersAsJsonEscapesThem) {
  const PyYamlReading read(
      R"({"a": "x\\\ud83d\uDE00y\ud83d\ude01", "\ud83d\ude00": [z, "\ud83d\ude00"], 'b': '\ud83d\ude00'})", heat());
  EXPECT_EQ(read.json(), R"({"a": "x\\😀y😁", "😀": ["z", "😀"], "b": "\\ud83d\\ude00"})");
  EXPECT_EQ(read.place(*read.root().find("b")).to_string(), "f.yaml:1:81");
  EXPECT_EQ(PyYamlReading(R"(a: "\ud83d\ude00")").json(), R"({"a": "😀"})");
  EXPECT_EQ(error_of_pyyaml(R"("\ud83d\ude00")", core12()), "1:4 yaml.syntax");
  for (const char* half :
       {R"("\ud83d")", R"("\ude00\ud83d")", R"("\ud83d\ud83d\ude00")", R"("\ud83d\u0061")", R"("\ud83d\ude0")"}) {
    EXPECT_TRUE(error_of_pyyaml(half, heat()).ends_with(" yaml.syntax")) << half;
  }
}

TEST(YamlReader, NumbersUnderTagsAreReadAsPythonDoes) {
  EXPECT_EQ(PyYamlReading("[!!int ' 12 ', !!int 0o17, !!int --1, !!float 1e3, !!float ' 2 ', !!float '1:+3']\n").json(),
            "[12, 15, 1, 1000.0, 2.0, 63.0]");
  EXPECT_EQ(PyYamlReading("[!!timestamp 2001-1-2, 2001-1-2]\n").json(), R"(["2001-01-02", "2001-1-2"])");
  EXPECT_EQ(error_of_pyyaml("!!float :1\n"), "1:9 yaml.scalar");
}

TEST(YamlReader, TheTagOfOneBangResolves) {
  EXPECT_EQ(PyYamlReading("[! 1, ! 'yes', ! ]\n").json(), "[1, true, null]");
  EXPECT_EQ(PyYamlReading("[! 1, ! 'yes']\n", core12()).json(), R"(["1", "yes"])");
}

TEST(YamlReader, SyntaxErrorsHaveTheirMessage) {
  Sources sources;
  try {
    (void)read_yaml(sources, sources.add("f.yaml", "a: [1\nb: 2\n"), pyyaml(), {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "yaml.syntax");
    EXPECT_NE(std::string_view(error.what()).find("flow sequence"), std::string_view::npos);
    ASSERT_EQ(error.diagnostic().notes.size(), 1U);
    EXPECT_EQ(error.diagnostic().notes[0].place.to_string(), "f.yaml:1:4");
  }
}

TEST(YamlReader, BoundsWhatInputAsksFor) {
  EXPECT_EQ(error_of_pyyaml("a: " + std::string(200'000, '['), pyyaml(), {}), "1:1003 limit.depth");
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string below = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + below;
    for (int k = 0; k < 8; ++k) bomb += ", " + below;
    bomb += "]\n";
  }
  EXPECT_NE(error_of_pyyaml(bomb).find("limit.aliases"), std::string::npos);
  std::string merges = "m0: &m0 {a: 1, b: 2, c: 3, d: 4}\n";
  Limits tight;
  tight.aliases = 10;
  EXPECT_NE(error_of_pyyaml(merges + "x: {<<: [*m0, *m0]}\n", pyyaml(), tight).find("limit.aliases"),
            std::string::npos);
  tight.input = 3;
  EXPECT_NE(error_of_pyyaml("abcdef", pyyaml(), tight).find("limit.input"), std::string::npos);
}

TEST(YamlReader, CountsNodesAsIfWrittenOut) { EXPECT_EQ(PyYamlReading("x: &x [1, 2]\ny: *x\n").document().nodes, 9U); }

TEST(YamlReader, ReadsStreams) {
  Sources sources;
  const auto documents = read_yaml_stream(sources, sources.add("f", "--- 1\n---\n--- {a: b}\n...\n"), pyyaml(), {});
  ASSERT_EQ(documents.size(), 3U);
  EXPECT_EQ(documents[0].root.as_integer(), 1);
  EXPECT_TRUE(documents[1].root.is_null());
  EXPECT_EQ(documents[2].root.find("a")->text(), "b");
}

TEST(YamlReader, StreamsMayShareAPool) {
  Sources sources;
  DocumentPool pool(std::make_shared<Arena>());
  const auto documents = read_yaml_stream(sources, sources.add("f", "--- {a: 1}\n--- {a: 2}\n"), pyyaml(), {}, pool);
  ASSERT_EQ(documents.size(), 2U);
  EXPECT_EQ(documents[0].arena, pool.arena());
  const Value& one = documents[0].root.entries()[0].key;
  const Value& two = documents[1].root.entries()[0].key;
  EXPECT_EQ(one.text().data(), two.text().data()) << "a key is kept once";
  EXPECT_NE(one.origin(), two.origin());
}

TEST(YamlReader, PyYamlJsonHasTextKeysAndNoDates) {
  const char* text =
      "{1: a, 2.5: b, 1.0e+20: c, no: d, ~: e, 2001-12-14: 2001-12-14, 0x10: {8: 2001-12-14 21:59:43}, t: !!timestamp "
      "2001-01-01}";
  EXPECT_EQ(
      PyYamlReading(text, pyyaml_json()).json(),
      R"({"1": "a", "2.5": "b", "1e+20": "c", "false": "d", "null": "e", "2001-12-14": "2001-12-14", "16": {"8": "2001-12-14 21:59:43"}, )"
      R"("t": "2001-01-01"})");
  EXPECT_EQ(PyYamlReading("{1: a, b: c, '1': d}", pyyaml_json()).json(), R"({"1": "d", "b": "c"})");
}

TEST(YamlReader, Core12IsAnotherTable) {
  EXPECT_EQ(PyYamlReading("[yes, 010, 0o17, 1e3, 2001-01-01, .5, 1_0]", core12()).json(),
            R"(["yes", 10, 15, 1000.0, "2001-01-01", 0.5, "1_0"])");
}

}  // namespace
}  // namespace strata::text
