// SPDX-License-Identifier: Apache-2.0
// Substitution: what is read, and what becomes of the destination.
#include "deckhand/substitution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "deckhand/python_template.hpp"
#include "deckhand/world.hpp"

namespace strata::deckhand {
namespace {

struct SubstitutionRow {
  const char* name;
  const char* source;
  const char* destination;
  const char* entries;
  const char* result;  ///< YAML; or `!` and the beginning of an error.
};

struct Work {
  World world;
  Diagnostics diagnostics;
  Expressions expressions{};
  merge::Traced from{};  ///< The source after the last call.

  Parties parties() {
    return {.source = "src", .destination = "dst", .sources = world.sources, .diagnostics = diagnostics};
  }

  merge::Traced substitute(const merge::Traced& source, const std::string& destination, const std::string& entries) {
    merge::Accumulator data(world.arena, world.limits, world.recorder);
    data.start(world.layer(destination));
    const Value list = world.yaml(entries, "entries");
    from = source;
    bool shares = false;
    for (const Value& entry : list.items()) {
      const Substitution substitution = parse_substitution(entry, parties(), expressions);
      const merge::Traced value = read_source(substitution, from, parties(), world.rendering);
      write_destinations(substitution, data, share(substitution, value, from, shares, world.rendering), parties(),
                         world.rendering);
    }
    return data.current();
  }
  std::string result(const std::string& source, const std::string& destination, const std::string& entries) {
    return flow(substitute(world.layer(source), destination, entries).value);
  }
  std::string failure(const std::string& source, const std::string& destination, const std::string& entries) {
    return error_of([&] { (void)result(source, destination, entries); });
  }
  std::string warning() { return diagnostics.warnings().empty() ? "" : diagnostics.warnings()[0].code; }
};

/// The entry `.a` into `.u` with a pattern.
std::string into(const std::string& pattern, const std::string& more = "") {
  return "[{src: {schema: a/B/v1, name: src, path: .a}, dest: {path: .u, pattern: '" + pattern + "'" + more + "}}]";
}

class Substitutions : public ::testing::TestWithParam<SubstitutionRow> {};

TEST_P(Substitutions, AreThoseOfTheReference) {
  const SubstitutionRow& row = GetParam();
  for (const bool with_history : {true, false}) {
    Work work{.world = World(with_history), .diagnostics = {}};
    if (row.result[0] == '!') {
      EXPECT_NE(work.failure(row.source, row.destination, row.entries), "");
    } else {
      const Value result = work.substitute(work.world.layer(row.source), row.destination, row.entries).value;
      EXPECT_TRUE(equal(result, work.world.yaml(row.result))) << flow(result);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Table, Substitutions,
    ::testing::Values(
        SubstitutionRow{R"(sub-simple)", R"({a: 1})", R"({})",
                        R"([{dest: {path: .x}, src: {name: src, path: .a, schema: example/Source/v1}}])", R"({x: 1})"},
        SubstitutionRow{R"(sub-nested-create)", R"({a: 1})", R"({k: 0})",
                        R"([{dest: {path: .x.y.z}, src: {name: src, path: .a, schema: example/Source/v1}}])",
                        R"({k: 0, x: {y: {z: 1}}})"},
        SubstitutionRow{R"(sub-overwrite)", R"({a: [1, 2]})", R"({x: {old: 1}})",
                        R"([{dest: {path: .x}, src: {name: src, path: .a, schema: example/Source/v1}}])",
                        R"({x: [1, 2]})"},
        SubstitutionRow{R"(sub-map)", R"({a: {p: 1, q: [1]}})", R"({x: {old: 1}})",
                        R"([{dest: {path: .x}, src: {name: src, path: .a, schema: example/Source/v1}}])",
                        R"({x: {p: 1, q: [1]}})"},
        SubstitutionRow{R"(sub-root-source)", R"({a: 1, b: 2})", R"({})",
                        R"([{dest: {path: .x}, src: {name: src, path: ., schema: example/Source/v1}}])",
                        R"({x: {a: 1, b: 2}})"},
        SubstitutionRow{R"(sub-string-source)", R"(secret)", R"({})",
                        R"([{dest: {path: .x}, src: {name: src, path: .any.path, schema: example/Source/v1}}])",
                        R"({x: secret})"},
        SubstitutionRow{R"(sub-list-source)", R"([1, 2])", R"({})",
                        R"([{dest: {path: .x}, src: {name: src, path: ., schema: example/Source/v1}}])",
                        R"({x: [1, 2]})"},
        SubstitutionRow{R"(sub-index-source)", R"({a: [4, 5, 6]})", R"({})",
                        R"([{dest: {path: .x}, src: {name: src, path: '.a[1]', schema: example/Source/v1}}])",
                        R"({x: 5})"},
        SubstitutionRow{R"(sub-star-source-first)", R"({a: {p: 1, q: 2}})", R"({})",
                        R"([{dest: {path: .x}, src: {name: src, path: .a.*, schema: example/Source/v1}}])",
                        R"({x: 1})"},
        SubstitutionRow{
            R"(sub-false)", R"({a: false, b: 0})", R"({})",
            R"([{dest: {path: .x}, src: {name: src, path: .a, schema: example/Source/v1}}, {dest: {path: .y}, src: {name: src, path: .b, schema: example/Source/v1}}])",
            R"({x: false, y: 0})"},
        SubstitutionRow{R"(sub-list-create)", R"({a: 1})", R"({})",
                        R"([{dest: {path: '.x[0]'}, src: {name: src, path: .a, schema: example/Source/v1}}])",
                        R"({x: [1]})"},
        SubstitutionRow{R"(sub-list-pad)", R"({a: 1})", R"({})",
                        R"([{dest: {path: '.x[2]'}, src: {name: src, path: .a, schema: example/Source/v1}}])",
                        R"({x: [{}, {}, 1]})"},
        SubstitutionRow{R"(sub-list-grow-key)", R"({a: 1})", R"({x: [{y: 0}]})",
                        R"([{dest: {path: '.x[2].y'}, src: {name: src, path: .a, schema: example/Source/v1}}])",
                        R"({x: [{y: 0}, {}, {y: 1}]})"},
        SubstitutionRow{R"(sub-list-nested)", R"({a: 1})", R"({})",
                        R"([{dest: {path: '.c[0].d.e[1].f'}, src: {name: src, path: .a, schema: example/Source/v1}}])",
                        R"({c: [{d: {e: [{}, {f: 1}]}}]})"},
        SubstitutionRow{R"(sub-list-value-into-index)", R"({a: [5, 6]})", R"({})",
                        R"([{dest: {path: '.x[0]'}, src: {name: src, path: .a, schema: example/Source/v1}}])",
                        R"({x: [5]})"},
        SubstitutionRow{R"(sub-dest-star)", R"({a: 1})", R"({x: {p: 0, q: 0}})",
                        R"([{dest: {path: .x.*}, src: {name: src, path: .a, schema: example/Source/v1}}])",
                        R"({x: {p: 1, q: 1}})"},
        SubstitutionRow{R"(sub-dest-all-elements)", R"({a: 1})", R"({x: [{p: 0}, {p: 2}]})",
                        R"([{dest: {path: '.x[*].p'}, src: {name: src, path: .a, schema: example/Source/v1}}])",
                        R"({x: [{p: 1}, {p: 1}]})"},
        SubstitutionRow{R"(sub-root-dest-map)", R"({a: {q: 1, z: {n: 1}}})", R"({k: 2, z: {o: 1}})",
                        R"([{dest: {path: .}, src: {name: src, path: .a, schema: example/Source/v1}}])",
                        R"({k: 2, q: 1, z: {n: 1}})"},
        SubstitutionRow{R"(sub-root-dest-scalar)", R"({a: str})", R"({z: 1})",
                        R"([{dest: {path: .}, src: {name: src, path: .a, schema: example/Source/v1}}])", R"(str)"},
        SubstitutionRow{
            R"(sub-in-order)", R"({a: 1, b: 2})", R"({})",
            R"([{dest: {path: .x}, src: {name: src, path: .a, schema: example/Source/v1}}, {dest: {path: .x}, src: {name: src, path: .b, schema: example/Source/v1}}])",
            R"({x: 2})"},
        SubstitutionRow{
            R"(sub-many-dest)", R"({a: v})", R"({p: A_A})",
            R"([{dest: [{path: .x}, {path: .y.z}, {path: .p, pattern: A}], src: {name: src, path: .a, schema: example/Source/v1}}])",
            R"({p: v_v, x: v, y: {z: v}})"},
        SubstitutionRow{
            R"(sub-pattern)", R"({a: pw})", R"({u: 'http://me:INSERT_PW_HERE@host'})",
            R"([{dest: {path: .u, pattern: 'INSERT_[A-Z]+_HERE'}, src: {name: src, path: .a, schema: example/Source/v1}}])",
            R"({u: 'http://me:pw@host'})"},
        SubstitutionRow{R"(sub-pattern-all)", R"({a: pw})", R"({u: X-X})",
                        R"([{dest: {path: .u, pattern: X}, src: {name: src, path: .a, schema: example/Source/v1}}])",
                        R"({u: pw-pw})"},
        SubstitutionRow{R"(sub-pattern-no-match)", R"({a: pw})", R"({u: abc})",
                        R"([{dest: {path: .u, pattern: X}, src: {name: src, path: .a, schema: example/Source/v1}}])",
                        R"({u: abc})"},
        SubstitutionRow{R"(sub-pattern-number)", R"({a: 8080})", R"({u: 'host:PORT'})",
                        R"([{dest: {path: .u, pattern: PORT}, src: {name: src, path: .a, schema: example/Source/v1}}])",
                        R"({u: 'host:8080'})"},
        SubstitutionRow{
            R"(sub-pattern-backref)", R"({a: <\1>})", R"({u: a_K_b})",
            R"([{dest: {path: .u, pattern: _(K)_}, src: {name: src, path: .a, schema: example/Source/v1}}])",
            R"({u: a<K>b})"},
        SubstitutionRow{
            R"(sub-recurse)", R"({a: pw})", R"({v: {n: 3, p: PW, q: [{r: xPWx}, PW]}, w: PW})",
            R"([{dest: {path: .v, pattern: PW, recurse: {depth: -1}}, src: {name: src, path: .a, schema: example/Source/v1}}])",
            R"({v: {n: 3, p: pw, q: [{r: xpwx}, pw]}, w: PW})"},
        SubstitutionRow{
            R"(sub-recurse-depth-1)", R"({a: pw})", R"({v: {p: PW, q: {r: PW}}})",
            R"([{dest: {path: .v, pattern: PW, recurse: {depth: 1}}, src: {name: src, path: .a, schema: example/Source/v1}}])",
            R"({v: {p: pw, q: {r: PW}}})"},
        SubstitutionRow{
            R"(sub-recurse-depth-0)", R"({a: pw})", R"({v: {p: PW}})",
            R"([{dest: {path: .v, pattern: PW, recurse: {depth: 0}}, src: {name: src, path: .a, schema: example/Source/v1}}])",
            R"({v: {p: PW}})"},
        SubstitutionRow{
            R"(sub-recurse-literal)", R"({a: pw})", R"({v: {p: PW1, q: 'P[A-Z]'}})",
            R"([{dest: {path: .v, pattern: 'P[A-Z]', recurse: {depth: -1}}, src: {name: src, path: .a, schema: example/Source/v1}}])",
            R"({v: {p: PW1, q: 'P[A-Z]'}})"},
        SubstitutionRow{
            R"(sub-recurse-on-string)", R"({a: pw})", R"({v: x_ABC_y})",
            R"([{dest: {path: .v, pattern: '[A-Z]+', recurse: {depth: -1}}, src: {name: src, path: .a, schema: example/Source/v1}}])",
            R"({v: x_pw_y})"},
        SubstitutionRow{
            R"(sub-src-pattern)", R"({img: 'repo/app:1.2'})", R"({})",
            R"([{dest: {path: .name}, src: {match_group: 1, name: src, path: .img, pattern: '^(.*):(.*)$', schema: example/Source/v1}}, {dest: {path: .tag}, src: {match_group: 2, name: src, path: .img, pattern: '^(.*):(.*)$', schema: example/Source/v1}}])",
            R"({name: repo/app, tag: '1.2'})"},
        SubstitutionRow{
            R"(sub-src-pattern-whole)", R"({img: 'repo/app:1.2'})", R"({})",
            R"([{dest: {path: .t}, src: {name: src, path: .img, pattern: 'app:[0-9]', schema: example/Source/v1}}])",
            R"({t: 'app:1'})"},
        SubstitutionRow{
            R"(sub-src-pattern-no-match)", R"({img: plain})", R"({})",
            R"([{dest: {path: .t}, src: {name: src, path: .img, pattern: ':', schema: example/Source/v1}}])",
            R"({t: plain})"},
        SubstitutionRow{
            R"(sub-deepcopy-flag)", R"({a: {b: 1}})", R"({})",
            R"([{dest: {path: .x}, src: {deepcopy: true, name: src, path: .a, schema: example/Source/v1}}])",
            R"({x: {b: 1}})"},
        SubstitutionRow{R"(sub-dest-quoted)", R"({a: 1})", R"({})",
                        R"([{dest: {path: .x.'k/l'.m}, src: {name: src, path: .a, schema: example/Source/v1}}])",
                        R"({x: {k/l: {m: 1}}})"},
        SubstitutionRow{R"(sub-null-leaf)", R"({a: 1})", R"({x: null})",
                        R"([{dest: {path: .x}, src: {name: src, path: .a, schema: example/Source/v1}}])", R"({x: 1})"},
        SubstitutionRow{R"(err-sub-src-path)", R"({a: 1})", R"({})",
                        R"([{dest: {path: .x}, src: {name: src, path: .nope, schema: example/Source/v1}}])", R"(!)"},
        SubstitutionRow{R"(err-sub-src-null)", R"({a: null})", R"({})",
                        R"([{dest: {path: .x}, src: {name: src, path: .a, schema: example/Source/v1}}])", R"(!)"},
        SubstitutionRow{R"(err-sub-dest-no-dot)", R"({a: 1})", R"({})",
                        R"([{dest: {path: x.y}, src: {name: src, path: .a, schema: example/Source/v1}}])", R"(!)"},
        SubstitutionRow{R"(err-sub-through-scalar)", R"({a: 1})", R"({x: s})",
                        R"([{dest: {path: .x.y}, src: {name: src, path: .a, schema: example/Source/v1}}])", R"(!)"},
        SubstitutionRow{R"(err-sub-pattern-missing-path)", R"({a: v})", R"({})",
                        R"([{dest: {path: .u, pattern: X}, src: {name: src, path: .a, schema: example/Source/v1}}])",
                        R"(!)"},
        SubstitutionRow{R"(err-sub-pattern-on-number)", R"({a: v})", R"({u: 4})",
                        R"([{dest: {path: .u, pattern: X}, src: {name: src, path: .a, schema: example/Source/v1}}])",
                        R"(!)"},
        SubstitutionRow{R"(err-sub-src-pattern-type)", R"({a: 5})", R"({})",
                        R"([{dest: {path: .x}, src: {name: src, path: .a, pattern: '5', schema: example/Source/v1}}])",
                        R"(!)"},
        SubstitutionRow{
            R"(err-sub-match-group)", R"({a: v})", R"({})",
            R"([{dest: {path: .x}, src: {match_group: 2, name: src, path: .a, pattern: (v), schema: example/Source/v1}}])",
            R"(!)"}),
    [](const auto& row) {
      std::string name = row.param.name;
      std::ranges::replace(name, '-', '_');
      return name;
    });

struct Replacement {
  const char* pattern;
  const char* text;
  const char* value;
  const char* result;  ///< `!`: an error.
};

// Each row was run in Python 3.11: re.sub(pattern, value, text).
TEST(Templates, ReplaceAsPythonDoes) {
  const Replacement rows[] = {
      {"x*", "ab", "-", "-a-b-"},
      {"x*", "abxd", "-", "-a-b--d-"},
      {"|a", "a", "-", "---"},
      {"b|", "abc", "-", "-a--c-"},
      {"(a)(b)?", "ab a", "[\\2]", "[b] []"},
      {"a", "a", "\\g<0>\\g<0>", "aa"},
      {"(?P<n>a)", "a", "<\\g<n>>", "<a>"},
      {"a", "a", "\\n\\t\\\\", "\n\t\\"},
      {"a", "a", "\\.\\-", "\\.\\-"},
      {"a", "a", "\\0", ""},
      {"a", "a", "\\101", "A"},
      {"a", "a", "\\012", "\n"},
      {"(a)", "a", "\\1x", "ax"},
      {"a", "a", "\\d", "!"},
      {"a", "b", "\\q", "!"},
      {"a", "a", "\\1", "!"},
      {"(a)", "a", "\\11", "!"},
      {"a", "a", "\\g<x>", "!"},
      {"a", "a", "\\g", "!"},
      {"a", "a", "\\777", "!"},
      {"a", "a", "x\\", "!"},
      {"(a)(?P<n>b)", "ab", "\\2\\1", "ba"},
      {"[[a]", "[a", "-", "--"},
      {"[a&&b]+", "a&b", "-", "-"},
      {"[]a]", "]a", "-", "--"},
      {"(?i)AB", "xab", "-", "x-"},
      {"(?<=x)y", "xyy", "-", "x-y"},
      {"b\\Z", "bb", "-", "b-"},
      {"é", "aéb", "<\\g<0>>", "a<é>b"},
  };
  for (const auto& [pattern, text, value, result] : rows) {
    SCOPED_TRACE(std::string(pattern) + " " + value);
    const text::Regex regex(pattern, text::Regex::Syntax::python);
    const auto act = [&regex, &value = value, &text = text] {
      return PythonTemplate(value, regex, 1000).replace_all(text, 1000, nullptr).text;
    };
    if (std::string_view(result) == "!") {
      EXPECT_EQ(error_of(act).substr(0, 17), "deckhand.template");
    } else if (std::string_view(value) == "\\0") {
      EXPECT_EQ(act(), std::string(1, '\0'));
    } else {
      EXPECT_EQ(act(), result);
    }
  }
}

TEST(Recursion, MakesAPlaceThatIsMissing) {
  for (const bool with_history : {true, false}) {
    Work work{.world = World(with_history), .diagnostics = {}};
    const std::string more = ", recurse: {depth: -1}";
    EXPECT_EQ(work.result("{a: v}", "{k: 1}", into("X", more)), R"({"k": 1, "u": {}})");
    EXPECT_EQ(work.warning(), "deckhand.recurse-unmatched");
    const std::string item =
        "[{src: {schema: a/B/v1, name: src, path: .a}, dest: {path: '.u[1].v', pattern: X" + more + "}}]";
    EXPECT_EQ(work.result("{a: v}", "{}", item), R"({"u": [{}, {"v": {}}]})");
    EXPECT_EQ(work.failure("{a: v}", "{u: null}", into("X", more)).substr(0, 28), "deckhand.destination-pattern");
  }
}

TEST(Templates, WhatGrowsWithinAMatchIsBounded) {
  const std::string text(std::size_t{1} << 15U, 'x');
  const text::Regex regex("(x+)", text::Regex::Syntax::python);
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += "\\1";
  constexpr std::size_t kMost = std::size_t{1} << 24U;
  EXPECT_EQ(error_of([&] { (void)PythonTemplate(many, regex, kMost).replace_all(text, kMost, nullptr); }).substr(0, 12),
            "limit.result");
  // Parts that add nothing are work all the same.
  const text::Regex nothing("(y?)", text::Regex::Syntax::python);
  EXPECT_EQ(
      error_of([&] { (void)PythonTemplate(many, nothing, kMost).replace_all(text, 100'000, nullptr); }).substr(0, 12),
      "limit.result");
  EXPECT_EQ(error_of([&] { (void)PythonTemplate(many, regex, 1000); }).substr(0, 12), "limit.result");
  Work work;
  const std::string long_value = "{a: '" + many + "'}";
  EXPECT_EQ(work.failure(long_value, "{u: " + text + "}", into("(x+)")),
            "limit.result: a substitution makes a text of more than 67108864 bytes (substitution from src into dst)");
}

TEST(SubstitutionMessages, NameBothDocumentsThePathAndThePattern) {
  Work work;
  EXPECT_EQ(work.failure("{b: 1}", "{}", into("X")),
            "deckhand.source-data: there is nothing at '.a' of the source (substitution from src into dst)");
  EXPECT_EQ(work.failure("{a: 1}", "{u: 4}", into("X")),
            "deckhand.destination-pattern: the pattern 'X' needs a text at '.u', found an integer (substitution from "
            "src into dst)");
  EXPECT_EQ(work.failure("{a: 1}", "{}", into("X(")).substr(0, 12), "regex.syntax");
  EXPECT_EQ(work.failure("{a: 1}", "{u: {p: 1}}", into("X")),
            "deckhand.destination-pattern: the pattern 'X' needs a text at '.u', found a mapping (substitution from "
            "src into dst)");
  EXPECT_EQ(work.failure("{a: 1}", "{u: 4}", into("X", ", recurse: {depth: 1}")).substr(0, 28),
            "deckhand.destination-pattern");
  for (const char* nothing : {"0", "false", "''", "[]"}) {
    EXPECT_EQ(work.failure("{a: " + std::string(nothing) + "}", "{u: 4}",
                           "[{src: {schema: s, name: n, path: .a}, dest: {path: .}}]")
                  .substr(0, 13),
              "deckhand.root")
        << nothing;
  }
  EXPECT_EQ(work.result("{a: {}}", "text", "[{src: {schema: s, name: n, path: .a}, dest: {path: .}}]"), "\"text\"");
  EXPECT_EQ(work.failure("{a: 1}", "{}", "[{src: {schema: s, name: n, path: .a}, dest: {path: x.y}}]"),
            "deckhand.destination: the path 'x.y' of a destination does not begin with '.' or '$.' (substitution from "
            "src into dst)");
  EXPECT_EQ(work.failure("{a: 1}", "{}", "[{src: {schema: s, name: n, path: .a/}, dest: {path: .x}}]").substr(0, 20),
            "deckhand.path-syntax");
}

TEST(SubstitutionMessages, NameBothDocumentsWhereTheEntryItselfIsWrong) {
  Work work;
  for (const char* wrong : {"[{src: {schema: s, name: n, path: .a}, dest: {path: .x, pattern: '('}}]",
                            "[{src: {schema: s, name: n, path: .a, pattern: '('}, dest: {path: .x}}]",
                            "[{src: {schema: s, name: n, path: .a}, dest: {path: '.x.'}}]",
                            "[{src: {schema: s, name: n, path: .a}, dest: {path: '$[0]'}}]",
                            "[{src: {schema: s, name: n, path: .a}, dest: {path: .x, recurse: {depth: a}}}]"}) {
    const std::string told = work.failure("{a: 1}", "{x: 1}", wrong);
    EXPECT_TRUE(told.ends_with(" (substitution from src into dst)")) << wrong << ": " << told;
  }
}

TEST(SubstitutionPatterns, LeaveNoEmptyDataOfADocument) {
  Work work;
  const auto at_root = [](const std::string& more) {
    return "[{src: {schema: s, name: n, path: .a}, dest: {path: ., pattern: a" + more + "}}]";
  };
  EXPECT_EQ(work.failure("{a: ''}", "a", at_root("")),
            "deckhand.root: text without content cannot become all of the data of a document (substitution from src "
            "into dst)");
  EXPECT_EQ(work.failure("{a: ''}", "''", at_root("")).substr(0, 13), "deckhand.root") << "nothing is replaced";
  EXPECT_EQ(work.failure("{a: ''}", "[]", at_root(", recurse: {depth: -1}")).substr(0, 13), "deckhand.root");
  EXPECT_EQ(work.result("{a: ''}", "ab", at_root("")), "\"b\"");
  EXPECT_EQ(work.result("{a: ''}", "{}", at_root(", recurse: {depth: -1}")), "{}");
}

TEST(SubstitutionIntegers, HaveNoEnd) {
  Work work;
  EXPECT_EQ(work.result("{a: v}", "{u: {p: [X]}}", into("X", ", recurse: {depth: 9223372036854775808}")),
            R"({"u": {"p": ["v"]}})");
  EXPECT_EQ(work.result("{a: v}", "{}",
                        "[{src: {schema: s, name: n, path: .a, match_group: 9223372036854775808}, dest: {path: .u}}]"),
            R"({"u": "v"})");
  for (const std::string group : {"9223372036854775808", "-9223372036854775809"}) {
    EXPECT_EQ(work.failure(
                  "{a: v}", "{}",
                  "[{src: {schema: s, name: n, path: .a, pattern: v, match_group: " + group + "}, dest: {path: .u}}]"),
              "deckhand.source-pattern: the pattern 'v' has no group " + group + " (substitution from src into dst)");
  }
}

TEST(SubstitutionWarnings, TellWhatHadNoEffect) {
  const auto warning = [](const std::string& source, const std::string& destination, const std::string& entries) {
    Work work;
    (void)work.result(source, destination, entries);
    return work.warning();
  };
  EXPECT_EQ(warning("{a: pw}", "{u: abc}", into("X")), "deckhand.pattern-unmatched");
  EXPECT_EQ(warning("{a: pw}", "{u: X}", into("X")), "");
  EXPECT_EQ(warning("{a: pw}", "{u: {p: X1, q: 'X[0-9]'}}", into("X[0-9]", ", recurse: {depth: -1}")),
            "deckhand.recurse-unmatched");
  EXPECT_EQ(warning("{a: pw}", "{u: {p: X}}", into("X", ", recurse: {depth: -1}")), "");
  EXPECT_EQ(warning("{a: pw}", "{}", "[{src: {schema: s, name: n, path: .a, pattern: X}, dest: {path: .x}}]"),
            "deckhand.pattern-unmatched");
}

TEST(SubstitutionHistory, LeavesComeFromTheSourceAndPatchedTextsFromBoth) {
  Work work;
  const merge::Traced source = work.world.layer("{a: pw, b: {c: 1}}");
  const merge::Traced result = work.substitute(source, "{u: 'x X'}",
                                               "[{src: {schema: s, name: n, path: .a}, dest: {path: .u, pattern: X}},"
                                               " {src: {schema: s, name: n, path: .b}, dest: {path: .v}}]");
  EXPECT_EQ(flow(result.value), R"({"u": "x pw", "v": {"c": 1}})");
  const auto patched = work.world.history().explain(result, {"u"});
  ASSERT_EQ(patched.at(0).contributions.size(), 2U);
  EXPECT_EQ(patched[0].contributions[0].fate, merge::Fate::merged);
  EXPECT_EQ(patched[0].contributions[1].fate, merge::Fate::merged);
  EXPECT_EQ(work.world.sources.place(patched[0].value.origin()).to_string(), "L0:1:5");
  const auto copied = work.world.history().explain(result, {"v", "c"});
  EXPECT_EQ(work.world.history().layer_name(copied.at(0).contributions.at(0).layer), "L0");
}

TEST(SubstitutionSecrets, PassToWhatIsMadeOfThem) {
  Work work;
  merge::Traced source = work.world.layer("{a: pw-1, b: {c: [1]}}");
  source.value = source.value.with_secret();
  const merge::Traced result =
      work.substitute(source, "{u: X, w: X}",
                      "[{src: {schema: s, name: n, path: .a}, dest: {path: .u, pattern: X}},"
                      " {src: {schema: s, name: n, path: .a, pattern: '[0-9]'}, dest: {path: .v}}]");
  EXPECT_TRUE(result.value.find("u")->is_secret());
  EXPECT_TRUE(result.value.find("v")->is_secret());
  EXPECT_FALSE(result.value.find("w")->is_secret());
  const std::string failure = error_of([&] {
    merge::Traced bad = work.world.layer("{a: 'pw\\q'}");
    bad.value = bad.value.with_secret();
    (void)work.substitute(bad, "{u: X}", into("X"));
  });
  EXPECT_EQ(failure.find("pw"), std::string::npos) << failure;
}

TEST(SubstitutionLimits, TextsAndNodesAreBounded) {
  Work work{.world = World(true, {.input = 10'000}), .diagnostics = {}};
  const std::string many(9'000, 'X');
  EXPECT_EQ(work.failure("{a: " + many + "}", "{u: " + many + "}", into("X")).substr(0, 12), "limit.result");
  Work nodes{.world = World(true, {.result = 1000}), .diagnostics = {}};
  std::string list = "[1";
  for (int i = 0; i < 400; ++i) list += ",1";
  EXPECT_EQ(nodes
                .failure("{a: " + list + "]}", "{m: {a: 1, b: 1, c: 1}}",
                         "[{src: {schema: s, name: n, path: .a}, dest: {path: .m.*}}]")
                .substr(0, 12),
            "limit.result");
}

}  // namespace
}  // namespace strata::deckhand
