// SPDX-License-Identifier: Apache-2.0
// Each sentence of docs/analysis/edits.md.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <string>

#include "edit/edits.hpp"
#include "strata/text_edit.hpp"
#include "support/expect_error.hpp"

namespace strata::edit {
namespace {

using testing::error_of;
using testing::Options;
using testing::set;
using testing::unset;

const Form kJson{.syntax = Syntax::json};
const Form kPsych{.profile = &text::psych()};
const Form kCore{.profile = &text::core12()};
const Form kDeckhand{.profile = &text::pyyaml_json()};

std::string text_of_set(std::string_view text, std::string pointer, const std::string& value,
                        const Options& options = {}) {
  return set(text, std::move(pointer), value, options).text;
}
std::string text_of_unset(std::string_view text, std::string pointer, const Options& options = {}) {
  return unset(text, std::move(pointer), options).text;
}
std::string error_of_set(std::string_view text, std::string pointer, const std::string& value,
                         const Options& options = {}) {
  return error_of([&] { return set(text, pointer, value, options); });
}
std::string error_of_unset(std::string_view text, std::string pointer, const Options& options = {}) {
  return error_of([&] { return unset(text, pointer, options); });
}

// ---- What stays

TEST(Edit, KeepsByteOrderMarkAndLineEndings) {
  EXPECT_EQ(text_of_set("\xEF\xBB\xBF"
                        "a: 1\r\nb: 2\r\n",
                        "/a", "3"),
            "\xEF\xBB\xBF"
            "a: 3\r\nb: 2\r\n");
  EXPECT_EQ(text_of_set("\xEF\xBB\xBF"
                        "a: 1\r\nb: 2\r\n",
                        "/c", "3"),
            "\xEF\xBB\xBF"
            "a: 1\r\nb: 2\r\nc: 3\r\n");
  EXPECT_EQ(text_of_unset("\xEF\xBB\xBF"
                          "a: 1\r\nb: 2\r\n",
                          "/a"),
            "\xEF\xBB\xBF"
            "b: 2\r\n");
  // The line ending is that of the first line.
  EXPECT_EQ(text_of_set("a: 1\r\nb: 2\n", "/c", "3"), "a: 1\r\nb: 2\r\nc: 3\n");
  EXPECT_EQ(text_of_set("a: 1\rb: 2\r", "/c", "3"), "a: 1\rb: 2\rc: 3\r");
}

TEST(Edit, TheLastLineGetsABreakOnlyWhereSomethingIsAddedBehindIt) {
  EXPECT_EQ(text_of_set("a: 1", "/a", "2"), "a: 2");
  EXPECT_EQ(text_of_set("a: 1", "/b", "2"), "a: 1\nb: 2");
  EXPECT_EQ(text_of_set("a: 1 # one", "/b", "2"), "a: 1 # one\nb: 2");
  EXPECT_EQ(text_of_unset("a: 1\nb: 2", "/a"), "b: 2");
}

TEST(Edit, NamesTheLine) {
  EXPECT_EQ(set("a: 1\nb:\n  c: 2\n", "/b/c", "3").line, 3U);
  EXPECT_EQ(set("a: 1\nb:\n  c: 2\n", "/b/d", "3").line, 4U);
  EXPECT_EQ(set("a: 1\n", "/b", "3").outcome, Outcome::inserted);
  EXPECT_EQ(set("a: 1\n", "/a", "3").outcome, Outcome::replaced);
  EXPECT_EQ(unset("a: 1\nb: 2\n", "/b").line, 2U);
  EXPECT_EQ(unset("a: 1\nb: 2\n", "/b").outcome, Outcome::removed);
  EXPECT_EQ(set("", "/b", "3").line, 1U);
  EXPECT_EQ(set("# x\n", "/b", "3").line, 2U);
  EXPECT_EQ(set("{\n  \"a\": 1,\n  \"b\": 2\n}\n", "/c", "3", {.form = kJson}).line, 4U);
}

// ---- Refused

TEST(Edit, RefusesWhatAliasesRepeat) {
  EXPECT_EQ(error_of_set("a: &x {b: 1}\nc: *x\n", "/c/b", "2"), "2:1 edit.unsupported");
  EXPECT_EQ(error_of_set("a: &x {b: 1}\nc: *x\n", "/a/b", "2"), "1:8 edit.unsupported");
  EXPECT_EQ(error_of_set("a: &x {b: 1}\nc: *x\n", "/a/d", "2"), "1:7 edit.unsupported");
  EXPECT_EQ(error_of_set("a: &x 1\nc: *x\n", "/a", "2"), "1:1 edit.unsupported");
  EXPECT_EQ(error_of_unset("a: &x 1\nc: *x\n", "/a"), "1:4 edit.unsupported");
  EXPECT_EQ(error_of_unset("a: {b: &x 1}\nc: *x\n", "/a"), "1:8 edit.unsupported");
  EXPECT_EQ(error_of_set("a: {b: &x 1}\nc: *x\n", "/a", "2"), "1:8 edit.unsupported");
  // An anchor without aliases may go, and so may an alias.
  EXPECT_EQ(text_of_unset("a: {b: &x 1, d: *x}\nc: 2\n", "/a"), "c: 2\n");
  EXPECT_EQ(text_of_set("a: &x 1\nc: *x\n", "/c", "2"), "a: &x 1\nc: 2\n");
  EXPECT_EQ(text_of_unset("a: &x 1\nc: *x\n", "/c"), "a: &x 1\n");
  EXPECT_EQ(text_of_set("a: &x 1\nc: 2\n", "/a", "3"), "a: &x 3\nc: 2\n");
}

TEST(Edit, RefusesMembersFromMergeKeys) {
  const std::string text = "a: &x {b: 1}\nc:\n  <<: *x\n  d: 2\n";
  EXPECT_EQ(error_of_set(text, "/c/b", "2"), "3:3 edit.unsupported");
  EXPECT_EQ(error_of_unset(text, "/c/b"), "3:3 edit.unsupported");
  EXPECT_EQ(error_of_unset(text, "/c/<<"), "3:3 edit.not-found");
  EXPECT_EQ(text_of_set(text, "/c/d", "3"), "a: &x {b: 1}\nc:\n  <<: *x\n  d: 3\n");
  EXPECT_EQ(text_of_set(text, "/c/e", "3"), "a: &x {b: 1}\nc:\n  <<: *x\n  d: 2\n  e: 3\n");
  // An own member that overrides a merged one: without it, the other one would show.
  EXPECT_EQ(error_of_unset("a: &x {b: 1}\nc:\n  <<: *x\n  b: 2\n", "/c/b"), "3:3 edit.unsupported");
  for (const Options& options : {Options{}, Options{.form = kPsych}}) {
    EXPECT_EQ(text_of_set("a: &x {b: 1}\nc:\n  <<: *x\n  b: 2\n", "/c/b", "3", options),
              "a: &x {b: 1}\nc:\n  <<: *x\n  b: 3\n");
    EXPECT_EQ(text_of_set("a: &x {b: {e: 1}}\nc: {<<: *x, b: {d: 2}}\n", "/c/b/d", "3", options),
              "a: &x {b: {e: 1}}\nc: {<<: *x, b: {d: 3}}\n");
  }
  // With Ruby, the merge key overrides what stands before it.
  EXPECT_EQ(error_of_set("a: &x {b: 1}\nc:\n  b: 2\n  <<: *x\n", "/c/b", "3", {.form = kPsych}),
            "3:3 edit.unsupported");
}

TEST(Edit, RefusesEncryptedValues) {
  EXPECT_EQ(error_of_set("a: ENC[PKCS7,abc]\nb: 1\n", "/a", "2"), "1:4 edit.unsupported");
  EXPECT_EQ(error_of_unset("a: >\n  ENC[PKCS7,abc]\nb: 1\n", "/a"), "1:4 edit.unsupported");
  EXPECT_EQ(error_of_unset("a: {c: ['ENC[PKCS7,x]']}\nb: 1\n", "/a"), "1:4 edit.unsupported");
  EXPECT_EQ(error_of_set("{\"a\": \"\\u0045NC[PKCS7,abc]\"}", "/a", "2", {.form = kJson}), "1:7 edit.unsupported");
  EXPECT_EQ(text_of_set("a: ENC[PKCS7,abc]\nb: 1\n", "/b", "2"), "a: ENC[PKCS7,abc]\nb: 2\n");
}

TEST(Edit, RefusesDuplicateKeys) {
  EXPECT_EQ(error_of_set("a: 1\nb: 2\na: 3\n", "/a", "4"), "1:1 edit.unsupported");
  EXPECT_EQ(error_of_unset("a: 1\nb: 2\na: 3\n", "/a"), "1:1 edit.unsupported");
  EXPECT_EQ(error_of_set("a:\nb: 2\na:\n", "/a", "4"), "1:1 edit.unsupported");
  EXPECT_EQ(error_of_set("{\"a\": 1, \"a\": 3}", "/a", "4", {.form = kJson}), "1:2 edit.unsupported");
  EXPECT_EQ(text_of_set("a: 1\nb: 2\na: 3\n", "/b", "4"), "a: 1\nb: 4\na: 3\n");
}

TEST(Edit, RefusesOtherSyntaxesAndForms) {
  EXPECT_EQ(error_of_set("a = 1\n", "/a", "2", {.form = {.syntax = Syntax::other}}), "0:0 edit.unsupported");
  EXPECT_EQ(error_of_set("a: !!set {b, c}\n", "/a/d", "2"), "1:10 edit.unsupported");
  EXPECT_EQ(error_of_set("? a\n: 1\n", "/a", "2"), "1:3 edit.unsupported");
  EXPECT_EQ(error_of_unset("a: 1\n", ""), "1:1 edit.unsupported");
  EXPECT_EQ(error_of_set("a: !!omap [b: 1]\n", "/a/b", "2", {.form = kPsych}), "1:4 edit.unsupported");
}

TEST(Edit, SaysWhatIsNotThere) {
  EXPECT_EQ(error_of_unset("a: 1\n", "/b"), "1:1 edit.not-found");
  EXPECT_EQ(error_of_unset("a:\n  c: 1\n", "/a/b"), "2:3 edit.not-found");
  EXPECT_EQ(error_of_set("a: 1\n", "/a/b", "1"), "1:4 edit.not-found");
  EXPECT_EQ(error_of_set("a: [1]\n", "/a/2", "1"), "1:4 edit.not-found");
  EXPECT_EQ(error_of_set("a: [1]\n", "/a/01", "1"), "1:4 edit.not-found");
  EXPECT_EQ(error_of_unset("a: [1]\n", "/a/-"), "1:4 edit.not-found");
  EXPECT_EQ(error_of_unset("a: [1]\n", "/a/1"), "1:4 edit.not-found");
  EXPECT_EQ(error_of_set("a: 1\n", "/b/c", "1"), "1:1 edit.not-found");
  EXPECT_EQ(error_of_unset("", "/a"), "1:1 edit.not-found");
  EXPECT_EQ(error_of_unset("", ""), "1:1 edit.not-found");
  EXPECT_EQ(error_of_unset("# x\n", "/a"), "1:1 edit.not-found");
  STRATA_EXPECT_ERROR(set("a: 1\n", "a", "1"), "pointer.syntax");
  STRATA_EXPECT_ERROR(set("a: [\n", "/a", "1"), "yaml.syntax");
}

TEST(Edit, NeedsTheNumberOfADocument) {
  const std::string text = "a: 1\n---\na: 2\n";
  EXPECT_EQ(error_of_set(text, "/a", "3"), "2:1 edit.which-document");
  EXPECT_EQ(error_of_set(text, "/a", "3", {.document = 2}), "1:1 edit.which-document");
  EXPECT_EQ(error_of_set("a: 1\n", "/a", "3", {.document = 1}), "1:1 edit.which-document");
  EXPECT_EQ(text_of_set(text, "/a", "3", {.document = 0}), "a: 3\n---\na: 2\n");
  EXPECT_EQ(text_of_set(text, "/a", "3", {.document = 1}), "a: 1\n---\na: 3\n");
  EXPECT_EQ(text_of_set(text, "/b", "3", {.document = 0}), "a: 1\nb: 3\n---\na: 2\n");
  EXPECT_EQ(text_of_unset(text, "/a", {.document = 0}), "{}\n---\na: 2\n");
  // Ruby reads the first one only.
  EXPECT_EQ(text_of_set(text, "/a", "3", {.form = kPsych}), "a: 3\n---\na: 2\n");
}

// ---- Replacing

TEST(Edit, ReplacesInTheOldStyle) {
  EXPECT_EQ(text_of_set("a: x # c\n", "/a", "y"), "a: y # c\n");
  EXPECT_EQ(text_of_set("a: 'x'  # c\n", "/a", "y"), "a: 'y'  # c\n");
  EXPECT_EQ(text_of_set("a: \"x\"\n", "/a", "y"), "a: \"y\"\n");
  EXPECT_EQ(text_of_set("a: 'x'\n", "/a", "it's", {.with_spelling = false}), "a: 'it''s'\n");
  EXPECT_EQ(text_of_set("a: |\n  x\n  y\nb: 1\n", "/a", "\"1\\n2\\n\""), "a: |\n  1\n  2\nb: 1\n");
  EXPECT_EQ(text_of_set("a: |  # c\n    x\nb: 1\n", "/a", "z"), "a: |-  # c\n    z\nb: 1\n");
  EXPECT_EQ(text_of_set("a: >-\n  x\n  y\n\nb: 1\n", "/a", "\"1\\n2\""), "a: >-\n  1\n\n  2\n\nb: 1\n");
  EXPECT_EQ(text_of_set("a: |\n  x\nb: 1\n", "/a", "2"), "a: 2\nb: 1\n");
  EXPECT_EQ(text_of_set("a: |  # c\n  x\nb: 1\n", "/a", "2"), "a: 2  # c\nb: 1\n");
  EXPECT_EQ(text_of_set("a: x\n  y\n  z # c\nb: 1\n", "/a", "2"), "a: 2 # c\nb: 1\n");
}

TEST(Edit, OtherwisePlainOrQuoted) {
  EXPECT_EQ(text_of_set("a: 'x'\n", "/a", "1"), "a: 1\n");
  EXPECT_EQ(text_of_set("a: 1\n", "/a", "x"), "a: x\n");
  EXPECT_EQ(text_of_set("a: 1\n", "/a", "'1'", {.with_spelling = false}), "a: '1'\n");
  EXPECT_EQ(text_of_set("a: x\n", "/a", "'a: b'", {.with_spelling = false}), "a: 'a: b'\n");
  EXPECT_EQ(text_of_set("a: x\n", "/a", "\"1\\n\\e\"", {.with_spelling = false}), "a: \"1\\n\\e\"\n");
  EXPECT_EQ(text_of_set("a: x\n", "/a", "''", {.with_spelling = false}), "a: ''\n");
  EXPECT_EQ(text_of_set("a: x\n", "/a", "'yes'", {.with_spelling = false}), "a: 'yes'\n");
  EXPECT_EQ(text_of_set("a: x\n", "/a", "'yes'", {.form = kCore, .with_spelling = false}), "a: yes\n");
  EXPECT_EQ(text_of_set("a: [x]\n", "/a/0", "'a, b'", {.with_spelling = false}), "a: ['a, b']\n");
  EXPECT_EQ(text_of_set("a: x\n", "/a", "a, b", {.with_spelling = false}), "a: a, b\n");
  EXPECT_EQ(text_of_set("a: x\n", "/a", "~"), "a: ~\n");
  EXPECT_EQ(text_of_set("a: x\n", "/a", "~", {.with_spelling = false}), "a: null\n");
  EXPECT_EQ(text_of_set("a: x\n", "/a", "2001-12-14"), "a: 2001-12-14\n");
  EXPECT_EQ(text_of_set("a: x\n", "/a", ":sym", {.form = kPsych}), "a: :sym\n");
}

TEST(Edit, KeepsTagsAndAnchors) {
  EXPECT_EQ(text_of_set("a: !!str 80\n", "/a", "'90'"), "a: !!str 90\n");
  EXPECT_EQ(text_of_set("a: &x !!str 80\n", "/a", "'90'", {.with_spelling = false}), "a: &x !!str 90\n");
  EXPECT_EQ(error_of_set("a: !!str 80\n", "/a", "90"), "1:1 edit.unsafe");
  EXPECT_EQ(text_of_set("a: !!str 80\n", "/a", "!!int 90"), "a: !!int 90\n");
  EXPECT_EQ(text_of_set("a: &x\n  b: 1\nc: 2\n", "/a", "3"), "a: &x 3\nc: 2\n");
}

TEST(Edit, ImplicitNullsGetABlankAndTheValue) {
  EXPECT_EQ(text_of_set("a:\nb: 1\n", "/a", "2"), "a: 2\nb: 1\n");
  EXPECT_EQ(text_of_set("a:   # c\nb: 1\n", "/a", "2"), "a: 2   # c\nb: 1\n");
  EXPECT_EQ(text_of_set("a:", "/a", "2"), "a: 2");
  EXPECT_EQ(text_of_set("-\n- 1\n", "/0", "2"), "- 2\n- 1\n");
  EXPECT_EQ(text_of_set("{a: , b: 1}\n", "/a", "2"), "{a: 2 , b: 1}\n");
  EXPECT_EQ(text_of_set("{a, b: 1}\n", "/a", "2"), "{a: 2, b: 1}\n");
  EXPECT_EQ(text_of_set("a:\nb: 1\n", "/a", "[1, 2]"), "a: [1, 2]\nb: 1\n");
}

TEST(Edit, ContainersAreFlowWhereTheirLineIsShortEnough) {
  const std::string fits(88, 'x');
  EXPECT_EQ(text_of_set("a: 1\n", "/a", "{b: " + fits + ", c}"), "a: {b: " + fits + ", c}\n");
  const std::string value = "[" + fits + ", yyyyyyyyyy]";
  EXPECT_EQ(text_of_set("a: 1 # c\nb: 2\n", "/a", value), "a: # c\n  - " + fits + "\n  - yyyyyyyyyy\nb: 2\n");
  EXPECT_EQ(text_of_set("a: {b: 1}\n", "/a/b", value), "a: {b: " + value + "}\n");
  EXPECT_EQ(text_of_set("a: 1\n", "/a", "[1,  2]"), "a: [1,  2]\n");
  EXPECT_EQ(text_of_set("a: 1\n", "/a", "[1,  2]", {.with_spelling = false}), "a: [1, 2]\n");
  // 100 code points, not bytes: 3 and the brackets, and 95 letters.
  std::string wide;
  for (int i = 0; i < 95; ++i) wide += "\xC3\xBC";
  EXPECT_EQ(text_of_set("a: 1\n", "/a", "[" + wide + "]"), "a: [" + wide + "]\n");
  EXPECT_EQ(text_of_set("a: 1\n", "/a", "[" + wide + "xx]"), "a:\n  - " + wide + "xx\n");
}

TEST(Edit, BlocksAreIndentedAsTheFileIs) {
  const std::string x(100, 'x');
  const std::string map = "{k: {m: " + x + "}, l: [1, [2]]}";
  EXPECT_EQ(text_of_set("a: 1\nb: 2\n", "/a", map), "a:\n  k:\n    m: " + x + "\n  l:\n    - 1\n    - - 2\nb: 2\n");
  EXPECT_EQ(text_of_set("a: 1\nb:\n    c: 2\n", "/a", map),
            "a:\n    k:\n        m: " + x + "\n    l:\n        - 1\n        - - 2\nb:\n    c: 2\n");
  EXPECT_EQ(text_of_set("a: 1\nb:\n- 2\n", "/a", map), "a:\n  k:\n    m: " + x + "\n  l:\n  - 1\n  - - 2\nb:\n- 2\n");
  EXPECT_EQ(text_of_set("a:\n- 1\n- 2\n", "/a/0", map), "a:\n- k:\n    m: " + x + "\n  l:\n  - 1\n  - - 2\n- 2\n");
  EXPECT_EQ(text_of_set("a:\n   b:\n      c: 1\n", "/a/b/d", "{m: " + x + "}"),
            "a:\n   b:\n      c: 1\n      d:\n         m: " + x + "\n");
  EXPECT_EQ(text_of_set("a:\n  - 1\n", "/a/-", "{m: " + x + ", n: 1}"), "a:\n  - 1\n  - m: " + x + "\n    n: 1\n");
}

TEST(Edit, LinesOfABlockGo) {
  EXPECT_EQ(text_of_set("a: # c\n  b: 1\n  # d\n  e: 2 # f\n# g\nh: 3\n", "/a", "x"), "a: x # c\n# g\nh: 3\n");
  EXPECT_EQ(text_of_set("a:\n- 1\n- 2\nh: 3\n", "/a", "{}"), "a: {}\nh: 3\n");
  EXPECT_EQ(text_of_set("- b: 1\n  c: 2 # d\n- 3\n", "/0", "x"), "- x # d\n- 3\n");
  EXPECT_EQ(text_of_set("a:\n  b: 1\n  c: 2", "/a", "x"), "a: x");
  EXPECT_EQ(text_of_set("b: 1\nc: 2 # d\n", "", "x"), "x # d\n");
  EXPECT_EQ(text_of_set("a:\n  \"t\"\nb: 1\n", "/a", "x"), "a:\n  \"x\"\nb: 1\n");
}

TEST(Edit, ReplacesInJson) {
  EXPECT_EQ(text_of_set("{\"a\": 1, \"b\": [1, \"x\"]}\n", "/b/1", "y z", {.form = kJson}),
            "{\"a\": 1, \"b\": [1, \"y z\"]}\n");
  EXPECT_EQ(text_of_set("{\"a\": \"\\\"}\" , \"b\":null}", "/b", "[1, {c: 2}]", {.form = kJson}),
            "{\"a\": \"\\\"}\" , \"b\":[1, {\"c\": 2}]}");
  EXPECT_EQ(text_of_set("[1,2]", "/0", "0x1F", {.form = kJson}), "[31,2]");
  const std::string x(100, 'x');
  EXPECT_EQ(text_of_set("{\n    \"a\": 1\n}\n", "/a", "[" + x + ", {}]", {.form = kJson}),
            "{\n    \"a\": [\n        \"" + x + "\",\n        {}\n    ]\n}\n");
  EXPECT_EQ(text_of_set("{\n\t\"a\": 1\n}\n", "/a", "[" + x + "]", {.form = kJson}),
            "{\n\t\"a\": [\n\t\t\"" + x + "\"\n\t]\n}\n");
  EXPECT_EQ(text_of_set("{\"a\": 1}", "/a", "[" + x + "]", {.form = kJson}), "{\"a\": [\"" + x + "\"]}");
}

// ---- Inserting

TEST(Edit, InsertsBehindTheLastMember) {
  EXPECT_EQ(text_of_set("a: 1\n", "/b", "2"), "a: 1\nb: 2\n");
  EXPECT_EQ(text_of_set("b: 1 # one\n\n# tail\n", "/a", "2"), "b: 1 # one\na: 2\n\n# tail\n");
  EXPECT_EQ(text_of_set("a:\n    b: 1\n    c:\n        d: 2\ne: 3\n", "/a/f", "4"),
            "a:\n    b: 1\n    c:\n        d: 2\n    f: 4\ne: 3\n");
  EXPECT_EQ(text_of_set("- a: 1\n- b: 2\n", "/0/c", "3"), "- a: 1\n  c: 3\n- b: 2\n");
  EXPECT_EQ(text_of_set("a:\n  b: |\n    x\n\n\nc: 1\n", "/a/d", "2"), "a:\n  b: |\n    x\n  d: 2\n\n\nc: 1\n");
  EXPECT_EQ(text_of_set("a:\n  b: |+\n    x\n\nc: 1\n", "/a/d", "2"), "a:\n  b: |+\n    x\n\n  d: 2\nc: 1\n");
  EXPECT_EQ(text_of_set("a:\n  b:\nc: 1\n", "/a/d", "2"), "a:\n  b:\n  d: 2\nc: 1\n");
  EXPECT_EQ(text_of_set("a: 1\n...\n", "/b", "2"), "a: 1\nb: 2\n...\n");
}

TEST(Edit, KeepsTheOrderOfSortedMappings) {
  EXPECT_EQ(text_of_set("a: 1\nb: 2\nd: 3\n", "/c", "4"), "a: 1\nb: 2\nc: 4\nd: 3\n");
  EXPECT_EQ(text_of_set("a: 1\nb: 2\n\n# of d\n# too\nd: 3\n", "/c", "4"), "a: 1\nb: 2\n\nc: 4\n# of d\n# too\nd: 3\n");
  EXPECT_EQ(text_of_set("a: 1\nb: 2\nd: 3\n", "/e", "4"), "a: 1\nb: 2\nd: 3\ne: 4\n");
  EXPECT_EQ(text_of_set("b: 1\nc: 2\nd: 3\n", "/a", "4"), "a: 4\nb: 1\nc: 2\nd: 3\n");
  EXPECT_EQ(text_of_set("a: 1\nd: 2\n", "/c", "4"), "a: 1\nd: 2\nc: 4\n");
  EXPECT_EQ(text_of_set("a: 1\nd: 2\nb: 3\n", "/c", "4"), "a: 1\nd: 2\nb: 3\nc: 4\n");
  EXPECT_EQ(text_of_set("x:\n- b: 1\n  c: 2\n  d: 3\n", "/x/0/a", "4"), "x:\n- a: 4\n  b: 1\n  c: 2\n  d: 3\n");
  // Comments that begin the file stay, with the header of a cloud-config among them.
  EXPECT_EQ(text_of_set("#cloud-config\nb: 1\nc: 2\nd: 3\n", "/a", "4"), "#cloud-config\na: 4\nb: 1\nc: 2\nd: 3\n");
  EXPECT_EQ(text_of_set("#cloud-config\n# strata: allow x y\nb: 1\nc: 2\nd: 3\n", "/a", "4"),
            "#cloud-config\na: 4\n# strata: allow x y\nb: 1\nc: 2\nd: 3\n");
  // A line of a block scalar is not a comment.
  EXPECT_EQ(text_of_set("a: |\n  x\n  # y\nb: 1\nd: 3\n", "/aa", "4"), "a: |\n  x\n  # y\naa: 4\nb: 1\nd: 3\n");
}

TEST(Edit, InsertsIntoFlow) {
  EXPECT_EQ(text_of_set("a: {b: 1}\n", "/a/c", "2"), "a: {b: 1, c: 2}\n");
  EXPECT_EQ(text_of_set("a: { b: 1 } # x\n", "/a/c", "2"), "a: { b: 1, c: 2 } # x\n");
  EXPECT_EQ(text_of_set("a: {}\n", "/a/c", "2"), "a: {c: 2}\n");
  EXPECT_EQ(text_of_set("{}\n", "/c", "2"), "{c: 2}\n");
  EXPECT_EQ(text_of_set("a: {b: 1,}\n", "/a/c", "2"), "a: {b: 1, c: 2,}\n");
  EXPECT_EQ(text_of_set("a: {b: 1, d}\n", "/a/c", "2"), "a: {b: 1, d, c: 2}\n");
  EXPECT_EQ(text_of_set("a: {b: }\n", "/a/c", "2"), "a: {b: , c: 2 }\n");
  EXPECT_EQ(text_of_set("a: [b: 1]\n", "/a/0/c", "2"), "a: [{b: 1, c: 2}]\n");
  EXPECT_EQ(text_of_set("a: {b: 1, # x\n  c: 2 # y\n  }\n", "/a/d", "3"), "a: {b: 1, # x\n  c: 2, d: 3 # y\n  }\n");
}

TEST(Edit, InsertsIntoJson) {
  const Options json{.form = kJson};
  EXPECT_EQ(text_of_set("{\"a\": 1}", "/b", "x", json), "{\"a\": 1, \"b\": \"x\"}");
  EXPECT_EQ(text_of_set("{}", "/b", "x", json), "{\"b\": \"x\"}");
  EXPECT_EQ(text_of_set("{\n  \"a\": 1\n}\n", "/b", "x", json), "{\n  \"a\": 1,\n  \"b\": \"x\"\n}\n");
  EXPECT_EQ(text_of_set("{\r\n\t\"a\": {\r\n\t\t\"c\": 1}\r\n}\r\n", "/a/b", "x", json),
            "{\r\n\t\"a\": {\r\n\t\t\"c\": 1,\r\n\t\t\"b\": \"x\"}\r\n}\r\n");
  EXPECT_EQ(text_of_set("[\n  1\n]", "/-", "2", json), "[\n  1,\n  2\n]");
  EXPECT_EQ(text_of_set("[1]", "/1", "2", json), "[1, 2]");
  EXPECT_EQ(text_of_set("", "/b", "x", json), "{\"b\": \"x\"}\n");
  const Options ruby{.form = {.syntax = Syntax::json, .json = text::kRubyJson}};
  EXPECT_EQ(text_of_set("{\n  \"a\": 1 // x\n}\n", "/b", "2", ruby), "{\n  \"a\": 1, // x\n  \"b\": 2\n}\n");
  const std::string described = "{\n  \"a\": 1, /* x */\n  \"b\": 2 /* y */ // z\n}\n";
  EXPECT_EQ(text_of_set(described, "/c", "3", ruby),
            "{\n  \"a\": 1, /* x */\n  \"b\": 2, /* y */ // z\n  \"c\": 3\n}\n");
  EXPECT_EQ(text_of_unset(described, "/a", ruby), "{\n  \"b\": 2 /* y */ // z\n}\n");
  EXPECT_EQ(text_of_unset(described, "/b", ruby), "{\n  \"a\": 1 /* x */\n}\n");
  EXPECT_EQ(text_of_unset("{\n  \"a\": 1 /* x\n   more */\n}\n", "/a", ruby),
            "{\n   /* x\n   more */\n}\n");  // What goes on below stays.
  EXPECT_EQ(text_of_unset("{\n  \"a\": 1, // x\n  /* y */\n  \"b\": 2 // z\n}\n", "/b", ruby),
            "{\n  \"a\": 1 // x\n  /* y */\n}\n");
}

TEST(Edit, AppendsItems) {
  EXPECT_EQ(text_of_set("a:\n- 1 # x\nb: 2\n", "/a/-", "3"), "a:\n- 1 # x\n- 3\nb: 2\n");
  EXPECT_EQ(text_of_set("a:\n  - 1\nb: 2\n", "/a/1", "{c: 3}"), "a:\n  - 1\n  - {c: 3}\nb: 2\n");
  EXPECT_EQ(text_of_set("a: [1, 2]\n", "/a/-", "'3, 4'"), "a: [1, 2, '3, 4']\n");
  EXPECT_EQ(text_of_set("a: []\n", "/a/0", "3"), "a: [3]\n");
  EXPECT_EQ(text_of_set("- - 1\n  - 2\n- 3\n", "/0/-", "4"), "- - 1\n  - 2\n  - 4\n- 3\n");
}

TEST(Edit, BeginsDocuments) {
  EXPECT_EQ(text_of_set("", "/a", "1"), "a: 1\n");
  EXPECT_EQ(text_of_set("# x\n", "/a", "1"), "# x\na: 1\n");
  EXPECT_EQ(text_of_set("# x", "/a", "1"), "# x\na: 1");
  EXPECT_EQ(text_of_set("\n", "/a", "1"), "\na: 1\n");
  EXPECT_EQ(text_of_set("---\n", "/a", "1"), "---\na: 1\n");
  EXPECT_EQ(text_of_set("---\n# x\n...\n", "/a", "1"), "---\n# x\na: 1\n...\n");
  EXPECT_EQ(text_of_set("---", "/a", "1"), "---\na: 1");
  EXPECT_EQ(text_of_set("# x\r\n", "/a", "[1, 2]"), "# x\r\na: [1, 2]\r\n");
  EXPECT_EQ(text_of_set("---\n---\nb: 1\n", "/a", "1", {.document = 0}), "---\na: 1\n---\nb: 1\n");
  EXPECT_EQ(text_of_set("", "/a/b", "1", {.make_parents = true}), "a: {b: 1}\n");
  EXPECT_EQ(text_of_set("", "", "x"), "x\n");
  EXPECT_EQ(text_of_set("#cloud-config\n", "/a", "1"), "#cloud-config\na: 1\n");
  const std::string x(100, 'x');
  EXPECT_EQ(text_of_set("", "/a", "[" + x + "]"), "a:\n  - " + x + "\n");
}

TEST(Edit, KeysAreQuotedWhereTheyNeedIt) {
  EXPECT_EQ(text_of_set("a: 1\n", "/profile::web::port", "2"), "a: 1\nprofile::web::port: 2\n");
  EXPECT_EQ(text_of_set("a: 1\n", "/80", "2"), "a: 1\n'80': 2\n");
  EXPECT_EQ(text_of_set("a: 1\n", "/80", "2", {.form = kDeckhand}), "a: 1\n80: 2\n");
  EXPECT_EQ(text_of_set("a: 1\n", "/1_0", "2", {.form = kDeckhand}), "a: 1\n'1_0': 2\n");
  EXPECT_EQ(text_of_set("a: 1\n", "/yes", "2"), "a: 1\n'yes': 2\n");
  EXPECT_EQ(text_of_set("a: 1\n", "/<<", "2"), "a: 1\n'<<': 2\n");
  EXPECT_EQ(text_of_set("a: 1\n", "/", "2"), "a: 1\n'': 2\n");
  EXPECT_EQ(text_of_set("a: 1\n", "/b: c", "2"), "a: 1\n'b: c': 2\n");
  EXPECT_EQ(text_of_set("a: 1\n", "/b~1c~0d", "2"), "a: 1\nb/c~d: 2\n");
  EXPECT_EQ(text_of_set("a: 1\n", "/b\nc", "2"), "a: 1\n\"b\\nc\": 2\n");
  EXPECT_EQ(text_of_set("{a: 1}\n", "/b,c", "2"), "{a: 1, 'b,c': 2}\n");
  // Keys of other kinds are found by their texts.
  EXPECT_EQ(text_of_set("80: 1\ntrue: 2\n", "/80", "3"), "80: 3\ntrue: 2\n");
  EXPECT_EQ(text_of_set(":a: 1\n", "/a", "3", {.form = kPsych}), ":a: 3\n");
}

TEST(Edit, MakesParentsOnRequest) {
  const Options parents{.make_parents = true};
  EXPECT_EQ(text_of_set("a: 1\n", "/b/c/d", "2", parents), "a: 1\nb: {c: {d: 2}}\n");
  EXPECT_EQ(text_of_set("a:\nb: 1\n", "/a/c", "2", parents), "a: {c: 2}\nb: 1\n");
  EXPECT_EQ(text_of_set("a: {b: 1}\n", "/a/c/d", "2", parents), "a: {b: 1, c: {d: 2}}\n");
  EXPECT_EQ(error_of_set("a: 1\n", "/a/c", "2", parents), "1:4 edit.not-found");
  EXPECT_EQ(error_of_set("a:\n", "/a/c", "2"), "1:1 edit.not-found");
}

// ---- Removing

TEST(Edit, RemovesTheLinesOfAMember) {
  EXPECT_EQ(text_of_unset("a: 1\nb: 2 # x\nc: 3\n", "/b"), "a: 1\nc: 3\n");
  EXPECT_EQ(text_of_unset("a: 1\nb:\n  - 1\n  # y\n  - 2 # x\n# z\nc: 3\n", "/b"), "a: 1\n# z\nc: 3\n");
  EXPECT_EQ(text_of_unset("a: 1\nb: |\n  x\n\n  y\nc: 3\n", "/b"), "a: 1\nc: 3\n");
  EXPECT_EQ(text_of_unset("a: 1\nb: [1,\n 2]\nc: 3\n", "/b"), "a: 1\nc: 3\n");
  EXPECT_EQ(text_of_unset("- a: 1\n  b: 2\n", "/0/a"), "- b: 2\n");
  EXPECT_EQ(text_of_unset("- a: 1\n  # of b\n  b: 2\n", "/0/a"), "-\n  # of b\n  b: 2\n");
  EXPECT_EQ(text_of_unset("a:\n  b: 1\n  c: 2", "/a/c"), "a:\n  b: 1\n");
}

TEST(Edit, RemovesItsComments) {
  // Of its indentation, with nothing behind it that they may be about.
  EXPECT_EQ(text_of_unset("a: 1\n# of b\n# too\nb: 2\n", "/b"), "a: 1\n");
  EXPECT_EQ(text_of_unset("a: 1\n# of b\nb: 2\n\nc: 3\n", "/b"), "a: 1\n\nc: 3\n");
  EXPECT_EQ(text_of_unset("a: 1\n# of b\nb: 2\n# of c\nc: 3\n", "/b"), "a: 1\n# of c\nc: 3\n");
  EXPECT_EQ(text_of_unset("x:\n  a: 1\n  # of b\n  b: 2\nc: 3\n", "/x/b"), "x:\n  a: 1\nc: 3\n");
  // They may be about the next one too.
  EXPECT_EQ(text_of_unset("a: 1\n# of both\nb: 2\nc: 3\n", "/b"), "a: 1\n# of both\nc: 3\n");
  // Another indentation.
  EXPECT_EQ(text_of_unset("a: 1\n  # deeper\n# of b\nb: 2\n", "/b"), "a: 1\n  # deeper\n");
  // Comments that begin the file stay.
  EXPECT_EQ(text_of_unset("# head\na: 1\n\nb: 2\n", "/a"), "# head\n\nb: 2\n");
  EXPECT_EQ(text_of_unset("# head\n\n# of a\na: 1\n\nb: 2\n", "/a"), "# head\n\nb: 2\n");
  // Lines of a block scalar are not comments.
  EXPECT_EQ(text_of_unset("a: |\n  # x\nb: 2\n", "/b"), "a: |\n  # x\n");
}

TEST(Edit, RemovesItsAllows) {
  EXPECT_EQ(text_of_unset("a: 1\n# strata: allow typo it is so\nb: 2\nc: 3\n", "/b"), "a: 1\nc: 3\n");
  EXPECT_EQ(text_of_unset("# head\n# strata: allow typo it is so\na: 1\nc: 3\n", "/a"), "# head\nc: 3\n");
  EXPECT_EQ(text_of_unset("# strata: allow-file typo it is so\na: 1\nc: 3\n", "/a"),
            "# strata: allow-file typo it is so\nc: 3\n");
  EXPECT_EQ(text_of_unset("a: 1\n# strata: allow typo x\n# of both\nb: 2\nc: 3\n", "/b"), "a: 1\n# of both\nc: 3\n");
  EXPECT_EQ(text_of_unset("a:\n# strata: allow dead-item x\n- 1\n- 2\n", "/a/0"), "a:\n- 2\n");
  EXPECT_EQ(text_of_unset("a: [\n  1,\n  # strata: allow dead-item x\n  2,\n  3\n]\n", "/a/1"), "a: [\n  1,\n  3\n]\n");
  EXPECT_EQ(text_of_unset("{\n  \"a\": 1,\n  // strata: allow typo x\n  // of b\n  \"b\": 2\n}\n", "/b",
                          {.form = {.syntax = Syntax::json, .json = text::kRubyJson}}),
            "{\n  \"a\": 1\n  // of b\n}\n");
}

TEST(Edit, ABlankLineBeforeAndBehindBecomesOne) {
  EXPECT_EQ(text_of_unset("a: 1\n\nb: 2\n\nc: 3\n", "/b"), "a: 1\n\nc: 3\n");
  EXPECT_EQ(text_of_unset("a: 1\n\n# of b\nb: 2\n \nc: 3\n", "/b"), "a: 1\n\nc: 3\n");
  EXPECT_EQ(text_of_unset("a: 1\nb: 2\n\nc: 3\n", "/b"), "a: 1\n\nc: 3\n");
  EXPECT_EQ(text_of_unset("a: 1\n\nb: 2\n", "/b"), "a: 1\n\n");
}

TEST(Edit, TheOnlyMemberLeavesAnEmptyMapping) {
  EXPECT_EQ(text_of_unset("a: 1\n", "/a"), "{}\n");
  EXPECT_EQ(text_of_unset("a: 1 # x", "/a"), "{}");
  EXPECT_EQ(text_of_unset("# head\na: 1\n# tail\n", "/a"), "# head\n{}\n# tail\n");
  EXPECT_EQ(text_of_unset("---\na:\n  b: 1\n", "/a"), "---\n{}\n");
  EXPECT_EQ(text_of_unset("a:\n  b: 1\nc: 2\n", "/a/b"), "a: {}\nc: 2\n");
  EXPECT_EQ(text_of_unset("a: # x\n  # of b\n  b: 1 # y\nc: 2\n", "/a/b"), "a: {} # x\nc: 2\n");
  EXPECT_EQ(text_of_unset("a: &x\n  b: 1\nc: 2\n", "/a/b"), "a: &x {}\nc: 2\n");
  EXPECT_EQ(text_of_unset("- b: 1\n- c: 2\n", "/0/b"), "- {}\n- c: 2\n");
  EXPECT_EQ(text_of_unset("a:\n- 1\nc: 2\n", "/a/0"), "a: []\nc: 2\n");
  EXPECT_EQ(text_of_unset("- 1\n", "/0"), "[]\n");
  EXPECT_EQ(text_of_unset("- - 1\n", "/0/0"), "- []\n");
}

TEST(Edit, RemovesItems) {
  EXPECT_EQ(text_of_unset("a:\n- 1\n- b: 2\n  c: 3 # x\n- 4\n", "/a/1"), "a:\n- 1\n- 4\n");
  EXPECT_EQ(text_of_unset("a:\n  - 1\n  - 2\n", "/a/1"), "a:\n  - 1\n");
  EXPECT_EQ(text_of_unset("a:\n  -\n  - 2\n", "/a/0"), "a:\n  - 2\n");
  EXPECT_EQ(text_of_unset("- - 1\n  - 2\n", "/0/0"), "- - 2\n");
}

TEST(Edit, RemovesFromFlow) {
  EXPECT_EQ(text_of_unset("a: [1, 2, 3]\n", "/a/0"), "a: [2, 3]\n");
  EXPECT_EQ(text_of_unset("a: [1, 2, 3]\n", "/a/1"), "a: [1, 3]\n");
  EXPECT_EQ(text_of_unset("a: [1, 2, 3 ]\n", "/a/2"), "a: [1, 2 ]\n");
  EXPECT_EQ(text_of_unset("a: [1]\n", "/a/0"), "a: []\n");
  EXPECT_EQ(text_of_unset("a: { b: 1, }\n", "/a/b"), "a: {}\n");
  EXPECT_EQ(text_of_unset("a: {b: 1, c, d: }\n", "/a/c"), "a: {b: 1, d: }\n");
  EXPECT_EQ(text_of_unset("a: [b: 1]\n", "/a/0/b"), "a: [{}]\n");
  EXPECT_EQ(text_of_unset("{ # inner\n  b: 1\n  # tail\n}\n", "/b"), "{ # inner\n  # tail\n}\n");
  EXPECT_EQ(text_of_unset("a: [ # inner\n  1, # one\n]\n", "/a/0"), "a: [ # inner\n]\n");
  EXPECT_EQ(text_of_unset("a: [\n  1, # one\n  # of 2\n  2, # two\n  3 # three\n]\n", "/a/1"),
            "a: [\n  1, # one\n  # of 2\n  3 # three\n]\n");
  EXPECT_EQ(text_of_unset("a: [\n  1, # one\n  2 # two\n]\n", "/a/1"), "a: [\n  1 # one\n]\n");
  EXPECT_EQ(text_of_unset("a: [\n  1,\n  2]\n", "/a/1"), "a: [\n  1]\n");
  EXPECT_EQ(text_of_unset("a: [1, # one\n  2]\n", "/a/1"), "a: [1 # one\n]\n");
  EXPECT_EQ(text_of_unset("a: [1, 2,\n  3]\n", "/a/1"), "a: [1,\n  3]\n");
  EXPECT_EQ(text_of_unset("{\n  \"a\": 1,\n  \"b\": [2,3]\n}\n", "/b", {.form = kJson}), "{\n  \"a\": 1\n}\n");
  EXPECT_EQ(text_of_unset("{\n  \"a\": 1,\n  \"b\": [2,3]\n}\n", "/a", {.form = kJson}), "{\n  \"b\": [2,3]\n}\n");
  EXPECT_EQ(text_of_unset("{\n  \"a\": 1\n}\n", "/a", {.form = kJson}), "{}\n");
}

// ---- Hostile input

TEST(Edit, TakesLinearTime) {
  using Clock = std::chrono::steady_clock;
  const auto time_of = [](std::size_t size) {
    std::string text = "a: 1\n";
    for (std::size_t i = 0; i < size; ++i) text += "- ";  // nested lists in one line
    const auto begin = Clock::now();
    (void)error_of_set(text, "/a", "2");
    std::string members;
    for (std::size_t i = 0; i < size; ++i)
      members += "k" + std::to_string(i) + ": [&a" + std::to_string(i) + " 1, {x: y}] # c\n# d\n";
    (void)set(members, "/k5/1/x", "2", {.form = kPsych});
    (void)unset(members, "/k" + std::to_string(size - 1), {.form = kPsych});
    std::string line = "[";
    for (std::size_t i = 0; i < size; ++i) line += "{a: [b, ' ']},";
    (void)unset(line + "1]", "/0");
    (void)unset(line + "1]", "/" + std::to_string(size));
    return Clock::now() - begin;
  };
  (void)time_of(1000);
  const auto small = time_of(1000);
  // Sixteen times the text; with squares it would take 256 times as long.
  EXPECT_LT(time_of(16'000), 80 * small);
}

TEST(Edit, BoundsNestingAndLength) {
  const std::string deep(100'000, '[');
  EXPECT_EQ(error_of_set("a: " + deep, "/a", "1").substr(0, 2), "1:");
  std::string pointer;
  for (int i = 0; i < 2000; ++i) pointer += "/a";
  EXPECT_EQ(error_of_set("", pointer, "1", {.make_parents = true}), "1:1 limit.depth");
  const std::string key(5000, 'k');
  EXPECT_EQ(error_of_set("a: 1\n", "/" + key, "1"), "1:1 edit.unsafe");
  EXPECT_EQ(error_of_set("{}", "/" + key, "1", {.form = kJson}), "none");
  EXPECT_EQ(error_of_set("a: \xFF\n", "/a", "1").substr(4), "yaml.encoding");
}

}  // namespace
}  // namespace strata::edit
