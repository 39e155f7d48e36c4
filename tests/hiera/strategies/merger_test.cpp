// SPDX-License-Identifier: Apache-2.0
// The worked examples of the merge behaviours: specification, sections 10 and 11.
#include <gtest/gtest.h>

#include "folding.hpp"

namespace strata::hiera {
namespace {

const std::string kKnockout = "{strategy: deep, knockout_prefix: '--'}";
const std::string kByIndex = "{strategy: deep, merge_hash_arrays: true}";
const std::string kSort = "{strategy: deep, sort_merged_arrays: true}";
const std::string kSortAndKnockout = "{strategy: deep, sort_merged_arrays: true, knockout_prefix: '--'}";

/// Levels from the highest to the lowest. A result that is no YAML container or scalar of the test is the code of an
/// error.
struct Case {
  std::string merge;
  std::vector<std::string> levels;
  std::string result;
};

void expect_folds(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    Folding world;
    const bool is_error = one.result.find('.') != std::string::npos && one.result.find(' ') == std::string::npos &&
                          one.result.front() != '[';
    const std::string wanted = is_error ? one.result : Folding::shown(world.yaml(one.result));
    std::string levels;
    for (const std::string& level : one.levels) levels += "\n  " + level;
    EXPECT_EQ(world.folded(one.merge, one.levels), wanted) << one.merge << levels;
  }
}

TEST(Deep, WorkedExamples) {
  expect_folds({
      {"deep", {"[a, b]", "[c, d]"}, "[c, d, a, b]"},
      {"deep", {"[a, b, a]", "[c, b, c]"}, "[c, b, a]"},
      {"deep", {"[[a], b]", "[[c], [a]]"}, "[[c], [a], b]"},
      {"deep", {"{a: {x: 1, y: 1}, n: h}", "{a: {y: 2, z: 2}, m: l}"}, "{a: {y: 1, z: 2, x: 1}, m: l, n: h}"},
      {"deep", {"{a: {}}", "{a: 5}"}, "{a: 5}"},
      {"deep", {"{a: []}", "{a: 1}"}, "{a: []}"},
      {"deep", {"{a: ~}", "{a: 5}"}, "{a: 5}"},
      {"deep", {"{a: ~}", "{a: false}"}, "{a: ~}"},
      {"deep", {"{a: false}", "{a: [1]}"}, "{a: false}"},
      {"deep", {"{n: [a, a]}", "{m: [b, b]}"}, "{m: [b, b], n: [a]}"},
      {"deep", {"{a: 1}", "text"}, "{a: 1}"},
      {"deep", {"{}", "text"}, "text"},
      {"deep", {"~", "text"}, "text"},
      {"deep", {"[a, a]", "~"}, "[a, a]"},
      // A hash over a scalar: all members but the first are merged with themselves.
      {"deep", {"{a: [x, x], b: [x, x]}", "text"}, "{a: [x, x], b: [x]}"},
      {"deep", {"[1]", "[1.0, '1', true]"}, "[1.0, '1', true, 1]"},
      {"reverse_deep", {"[a]", "[b]"}, "[a, b]"},
  });
}

TEST(Deep, KnockoutExamples) {
  expect_folds({
      {kKnockout, {"['--a', x]", "[a, b]"}, "[b, x]"},
      {kKnockout, {"{a: '--'}", "{a: {x: 1}, b: 1}"}, "{a: '', b: 1}"},
      {kKnockout, {"{a: '--5'}", "{a: '5', b: 1}"}, "{a: '', b: 1}"},
      {kKnockout, {"['--', x]", "[a, b]"}, "[x]"},
      {kKnockout, {"{n: ['--a', x], s: '--q'}", "{m: 1}"}, "{m: 1, n: [x], s: ''}"},
      {kKnockout, {"{a: [x]}", "{a: ['--x', y]}"}, "{a: ['--x', y, x]}"},
      {kKnockout, {"['--1', 2]", "[1, '1', 2]"}, "[1, 2]"},
      {kKnockout, {"['----a', '--b']", "['--a', b, a, '----a']"}, "[a]"},
      {kKnockout, {"[{n: '--a'}, '--b']", "[{n: a}, b]"}, "[{n: a}, {n: '--a'}]"},
      {kKnockout, {"{a: ['--x']}", "{a: {b: 1}}"}, "{a: []}"},
      {kKnockout, {"{a: ['--x', y], b: '--x'}", "{a: false, b: ~}"}, "{a: [y], b: ''}"},
      {kKnockout, {"['--a', '--c']", "[a, d]", "[c, e]"}, "[c, e, d]"},
      {kKnockout, {"[a]", "['--a', b]", "[a, c]"}, "[c, b, a]"},
      {kKnockout, {"['--a', x]"}, "['--a', x]"},
      {kKnockout, {"'--a'", "~"}, "'--a'"},
      {kKnockout, {"\"a\\n--b\"", "q"}, "''"},
      {kKnockout, {"[\"a\\n--b\"]", "[\"a\\nb\", 1]"}, "[1]"},
      {kKnockout, {"{--a: 1}", "{a: 1}"}, "{a: 1, --a: 1}"},
      {"{strategy: deep, knockout_prefix: ''}", {"[a]", "[b]"}, "hiera.knockout-prefix"},
      {"{strategy: deep, knockout_prefix: ''}", {"[a]"}, "[a]"},
      {"{strategy: deep, knockout_prefix: '['}", {"[a]", "[b]"}, "hiera.knockout-prefix"},
  });
}

TEST(Deep, ByIndexAndSortedExamples) {
  expect_folds({
      {kByIndex, {"[{a: h}, {b: h}]", "[{c: l}, {d: l}]"}, "[{c: l, a: h}, {d: l, b: h}]"},
      {kByIndex, {"[{a: 1}, x]", "[{a: 2}]"}, "[{a: 2}, {a: 1}, x]"},
      {kByIndex, {"[{a: 1}]", "[{a: 2}, {b: 2}]"}, "[{a: 1}, {b: 2}]"},
      {kByIndex, {"[{a: 1}, {a: 1}]", "[]"}, "[{a: 1}, {a: 1}]"},
      {kSort, {"[d, b]", "[c, a]"}, "[a, b, c, d]"},
      {kSort, {"{n: [c, a], m: [b]}", "{m: [z, a]}"}, "{m: [a, b, z], n: [a, c]}"},
      {kSort, {"[10, 9.5]", "[2, 33]"}, "[2, 9.5, 10, 33]"},
      {kSort, {"['10', '9']", "[A, _, a, é]"}, "['10', '9', A, _, a, é]"},
      {kSort, {"[[1, b], [1]]", "[[0, z]]"}, "[[0, z], [1], [1, b]]"},
      {kSort, {"[123456789012345678901234567890]", "[1.5, 2]"}, "[1.5, 2, 123456789012345678901234567890]"},
      {kSort, {"[~]", "[~]"}, "[~]"},
      {kSort, {"[a]", "[1]"}, "merge.unsortable"},
      {kSort, {"[true]", "[false]"}, "merge.unsortable"},
      {kSort, {"[[1, a]]", "[[1, 2]]"}, "merge.unsortable"},
      {kSort, {"{n: [a, 1]}", "{}"}, "merge.unsortable"},
  });
}

/// Specification 11.8: a list two levels down in a new member is one list on both sides.
TEST(Deep, SharedListsLoseItems) {
  struct Row {
    std::string list;
    std::string shared;
    std::string promised;
  };
  for (const Row& row :
       {Row{"['--a', x]", "[]", "[x]"}, Row{"[x, '--a']", "[x]", "[x]"}, Row{"[x, '--a', y, z]", "[x, z]", "[x, y, z]"},
        Row{"['--a', x, '--b', y]", "[]", "[x, y]"}, Row{"[a, '--a', b, '--b', c, d]", "[b, c, d]", "[c, d, a, b]"},
        Row{"[x, '--', y]", "[]", "[x, y]"}}) {
    Folding world;
    const std::string high = "{n: {l: " + row.list + "}}";
    EXPECT_EQ(world.folded(kKnockout, {high, "{}"}), Folding::shown(world.yaml("{n: {l: " + row.shared + "}}")))
        << row.list;
    EXPECT_EQ(world.notices.size(), row.list == "[x, '--a']" ? 0 : 1) << row.list;
    EXPECT_EQ(world.folded(kKnockout, {high, "{}"}, {.unique_refuses_hashes = false, .independent_copies = true}),
              Folding::shown(world.yaml("{n: {l: " + row.promised + "}}")))
        << row.list;
  }
  expect_folds({{kKnockout, {"{n: [a, '--a', b, '--', c]}", "{m: 1}"}, "{m: 1, n: [a, b, c]}"}});
}

TEST(Deep, ToldSurprises) {
  Folding world;
  const std::string made = world.folded(kKnockout, {"{--a: 1}", "{a: 1}"});
  EXPECT_EQ(made, Folding::shown(world.yaml("{a: 1, --a: 1}")));
  ASSERT_EQ(world.notices.size(), 1);
  const Diagnostic key = describe(world.sources, world.notices.front());
  EXPECT_EQ(key.code, "merge.surprise");
  EXPECT_EQ(key.where.place.to_string(), "level0:1:2");
}

TEST(Deep, UnsortableNamesBothPlaces) {
  Folding world;
  const std::vector<Value> levels{world.yaml("[a]"), world.yaml("[1]")};
  try {
    (void)world.fold(world.options(kSort), levels);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "merge.unsortable");
    ASSERT_EQ(error.diagnostic().notes.size(), 1);
    EXPECT_NE(error.diagnostic().where.place.file, error.diagnostic().notes.front().place.file);
  }
}

TEST(Hash, WorkedExamples) {
  expect_folds({
      {"hash", {"{z: 1}", "{y: 2, x: 2}", "{x: 3, z: 3, w: 3}"}, "{x: 2, z: 1, w: 3, y: 2}"},
      {"hash", {"5"}, "5"},
      {"hash", {"{a: {x: 1}}", "{a: {y: 1}}"}, "{a: {x: 1}}"},
      {"hash", {"{a: 1}", "[]"}, "merge.kind-mismatch"},
      {"hash", {"{a: 1}", "~"}, "merge.kind-mismatch"},
      {"hash", {"{1: 1}", "{}"}, "merge.kind-mismatch"},
      {"hash", {"{}", "{a: [{1: 1}]}"}, "merge.kind-mismatch"},
      {"hash", {"{a: 2024-01-01}", "{}"}, "merge.kind-mismatch"},
  });
}

TEST(Unique, WorkedExamples) {
  expect_folds({
      {"unique", {"v"}, "[v]"},
      {"unique", {"[a, [b, a]]", "[[c], b]"}, "[a, b, c]"},
      {"unique", {"{a: 1}"}, "[{a: 1}]"},
      {"unique", {"~"}, "[~]"},
      {"unique", {"[~]", "a"}, "[~, a]"},
      {"unique", {"[1, '1']", "[1.0, true, 1]"}, "[1, '1', 1.0, true]"},
      {"unique", {"[{a: 1, b: 2}]", "[{b: 2, a: 1}]"}, "[{a: 1, b: 2}]"},
      {"unique", {"{a: 1}", "b"}, "[{a: 1}, b]"},
      {"unique", {"a", "{a: 1}"}, "merge.kind-mismatch"},
      {"unique", {"a", "~"}, "merge.kind-mismatch"},
      {"unique", {"a", "[{1: 2}]"}, "merge.kind-mismatch"},
  });
  Folding world;
  EXPECT_EQ(world.folded("unique", {"{a: 1}", "b"}, {.unique_refuses_hashes = true, .independent_copies = false}),
            "merge.kind-mismatch");
}

TEST(Unique, OneCandidateIsNotFlattened) {
  Folding world;
  Merger merger(world.options("unique"), world.sources, world.arena, world.limits, world.nothing);
  const auto single = [&](const char* text) { return Folding::shown(merger.single({world.yaml(text), {}}).value); };
  EXPECT_EQ(single("[[a], a, [a]]"), Folding::shown(world.yaml("[[a], a]")));
  EXPECT_EQ(single("v"), Folding::shown(world.yaml("v")));
  EXPECT_EQ(single("{a: 1}"), Folding::shown(world.yaml("{a: 1}")));
}

TEST(Unique, MismatchNamesBothPlaces) {
  Folding world;
  const std::vector<Value> levels{world.yaml("[a]"), world.yaml("{a: 1}")};
  try {
    (void)world.fold(world.options("unique"), levels);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostic().where.place.file, "level1");
    ASSERT_EQ(error.diagnostic().notes.size(), 1);
    EXPECT_EQ(error.diagnostic().notes.front().place.file, "level0");
  }
}

/// A path with the layers and fates of what came to it.
std::string told(Folding& world, const std::string& merge, const std::vector<std::string>& levels) {
  std::vector<Value> values;
  for (const std::string& level : levels) values.push_back(world.yaml(level));
  const merge::Traced total = world.fold(world.options(merge), values, true);
  std::string out;
  for (const merge::PathHistory& path : world.history.explain(total)) {
    out += path.path.pointer() + ":";
    for (const merge::Contribution& one : path.contributions) {
      out += " " + std::to_string(one.layer) + " " + std::string(to_string(one.fate)) + " " + Folding::shown(one.value);
    }
    out += "\n";
  }
  return out;
}

TEST(Histories, WhatIsKnockedOutIsRemoved) {
  Folding world;
  EXPECT_EQ(told(world, kKnockout, {"{l: ['--a', x], s: '--'}", "{l: [a, b], s: q}"}),
            "/l/0: 0 removed \"--a\" 1 removed \"a\" 1 won \"b\"\n/l/1: 0 won \"x\"\n/s: 0 removed \"--\" 0 merged "
            "\"\" 1 removed \"q\"\n");
}

TEST(Histories, SortingMovesItemsWithTheirLayers) {
  Folding world;
  EXPECT_EQ(told(world, kSortAndKnockout, {"[c, a]", "[d, b]"}),
            "/0: 0 won \"a\"\n/1: 1 won \"b\"\n/2: 0 won \"c\"\n/3: 1 won \"d\"\n");
}

}  // namespace
}  // namespace strata::hiera
