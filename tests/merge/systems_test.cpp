// SPDX-License-Identifier: Apache-2.0
// The strategies of the systems that strata knows, as tables, against the worked examples of their specifications.
#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "world.hpp"

namespace strata::merge {
namespace {

struct Example {
  const char* old;
  const char* incoming;
  const char* result;  ///< Null: an error.
};

void expect_merges(const Strategy& strategy, std::initializer_list<Example> examples) {
  for (const Example& one : examples) {
    World world;
    SCOPED_TRACE(std::string(one.old) + " <- " + one.incoming);
    if (one.result == nullptr) {
      STRATA_EXPECT_ERROR(world.merged(one.old, one.incoming, strategy), "merge.kind-mismatch");
    } else {
      EXPECT_EQ(flow(world.merged(one.old, one.incoming, strategy)), flow(world.yaml(one.result)));
    }
  }
}

TEST(Deckhand, MergesDeep) {
  constexpr const char* kParent = "{a: {x: 1, y: 2}, list: [1, 2, 3], s: text}";
  expect_merges(
      deep_replace(),
      {{kParent, "{a: {y: 20, z: 3}, n: true}", "{a: {x: 1, y: 20, z: 3}, list: [1, 2, 3], s: text, n: true}"},
       {kParent, "{list: [9]}", "{a: {x: 1, y: 2}, list: [9], s: text}"},
       {kParent, "{list: []}", "{a: {x: 1, y: 2}, list: [], s: text}"},
       {kParent, "{a: {}}", kParent},
       {kParent, "{a: 5}", "{a: 5, list: [1, 2, 3], s: text}"},
       {kParent, "{s: {t: 1}}", "{a: {x: 1, y: 2}, list: [1, 2, 3], s: {t: 1}}"},
       {kParent, "{a: {x: null}}", "{a: {x: null, y: 2}, list: [1, 2, 3], s: text}"},
       {"{a: null}", "{a: {q: 1}}", "{a: {q: 1}}"},
       {"{a: {b: {c: {d: 1, e: 2}}}}", "{a: {b: {c: {e: 3, f: 4}}}}", "{a: {b: {c: {d: 1, e: 3, f: 4}}}}"},
       {"{a: 1}", "text", "text"},
       {"null", "{a: 1}", "{a: 1}"}});
}

const std::string kFalsy = "absent|null|false|zero|text.empty|sequence.empty|mapping.empty";

Strategy heat_json(bool deep) {
  const std::string root = "* <- *: fail\n" + kFalsy + " <- *: take_new\nmapping.some <- mapping: recurse";
  if (!deep) return rules(root, "* <- null: keep_old");
  return rules(root, "* <- mapping|sequence|text: fail\n" + kFalsy +
                         " <- mapping|sequence: take_new\n"
                         "mapping.some <- mapping: recurse\n"
                         "sequence.some <- sequence: append\n"
                         "absent <- text: take_new\n"
                         "text <- text: join\n"
                         "* <- null: keep_old");
}

TEST(Heat, MergesJson) {
  expect_merges(heat_json(false), {{"{k: {x: 1}, j: 1}", "{k: {y: 2}, i: 3}", "{k: {y: 2}, j: 1, i: 3}"},
                                   {"{x: 1, y: null}", "{x: null, z: {q: 1}}", "{x: 1, y: null, z: {q: 1}}"},
                                   {"{x: 1}", "{y: null}", "{x: 1}"},
                                   {"'{\"x\": 1}'", "{y: 2}", nullptr},
                                   {"{}", "[1, 2]", "[1, 2]"},
                                   {"[1]", "[2]", nullptr}});
}

TEST(Heat, MergesJsonDeep) {
  expect_merges(heat_json(true), {{"{x: {a: 1}}", "{x: {b: 2}}", "{x: {a: 1, b: 2}}"},
                                  {"{x: s}", "{x: t}", "{x: st}"},
                                  {"{x: [1]}", "{x: [2], y: [3]}", "{x: [1, 2], y: [3]}"},
                                  {"{a: [{n: 1}]}", "{a: [{n: 1}, {m: 2}]}", "{a: [{n: 1}, {n: 1}, {m: 2}]}"},
                                  {"{x: 1}", "{x: t}", nullptr},
                                  {"{x: s}", "{x: 5}", "{x: 5}"},
                                  {"{k: {x: 1}}", "{k: 7}", "{k: 7}"},
                                  {"{k: {x: 1}}", "{k: {}}", "{k: {x: 1}}"},
                                  {"{a: 0}", "{a: {x: 1}}", "{a: {x: 1}}"},
                                  {"{a: 5}", "{a: {x: 1}}", nullptr}});
}

TEST(Heat, MergesListsAndStrings) {
  expect_merges(rules("* <- *: fail\nabsent|null|sequence.empty|text.empty <- sequence|text: take_new\n"
                      "sequence.some <- sequence: append\ntext.some <- text: join",
                      "", "", "separator: \",\""),
                {{"[1, 2]", "[2, 3]", "[1, 2, 2, 3]"},
                 {"'1,2'", "'3'", "'1,2,3'"},
                 {"''", "[3]", "[3]"},
                 {"[]", "'a,b'", "'a,b'"},
                 {"[a]", "[]", "[a]"},
                 {"'a,b,c'", "''", "'a,b,c,'"},
                 {"[1]", "'2'", nullptr},
                 {"'1'", "[2]", nullptr}});
  expect_merges(rules("* <- *: fail\nabsent <- text: take_new\ntext <- text: join"),
                {{"foo", "bar", "foobar"}, {"1", "a", nullptr}, {"a", "true", nullptr}});
}

/// The stronger value comes in: the weaker one's keys lead.
Strategy hiera_deep() {
  const std::string table =
      "* <- null: keep_old\n"
      "* <- mapping.empty: keep_old\n"
      "mapping <- mapping: recurse\n"
      "sequence <- sequence: union\n";
  return rules(table + "absent|null|false <- *: take_new\nnull <- null: keep_old",
               table + "absent|null|false <- *: self_merge\n* <- absent: keep_old");
}

TEST(Hiera, MergesDeep) {
  expect_merges(hiera_deep(),
                {{"[c, d]", "[a, b]", "[c, d, a, b]"},
                 {"[c, b, c]", "[a, b, a]", "[c, b, a]"},
                 {"[[c], [a]]", "[[a], b]", "[[c], [a], b]"},
                 {"{a: {y: 2, z: 2}, m: l}", "{a: {x: 1, y: 1}, n: h}", "{a: {y: 1, z: 2, x: 1}, m: l, n: h}"},
                 {"{a: 5}", "{a: {}}", "{a: 5}"},
                 {"{a: 1}", "{a: []}", "{a: []}"},
                 {"{a: 5}", "{a: ~}", "{a: 5}"},
                 {"{a: [1]}", "{a: false}", "{a: false}"},
                 {"{m: [b, b]}", "{n: [a, a]}", "{m: [b, b], n: [a]}"},
                 {"text", "{a: 1}", "{a: 1}"},
                 {"text", "{}", "text"}});
}

TEST(Hiera, MergesHashesAndUnique) {
  const Strategy hash = rules("* <- *: fail\nmapping <- mapping: recurse");
  World world;
  const Value upper = world.merged("{y: 2, x: 2}", "{z: 1}", hash);
  EXPECT_EQ(flow(world.merged(world.yaml("{x: 3, z: 3, w: 3}"), upper, hash)),
            flow(world.yaml("{x: 2, z: 1, w: 3, y: 2}")));
  expect_merges(hash, {{"5", "{a: 1}", nullptr}, {"{a: 1}", "[1]", nullptr}});
  expect_merges(
      rules("* <- *: fail\nsequence <- sequence: union"),
      {{"[1, '1', 1.0, true, 1]", "[true, {a: 1, b: 2}, {b: 2, a: 1}, 2]", "[1, '1', 1.0, true, {a: 1, b: 2}, 2]"},
       {"[1]", "{a: 1}", nullptr}});
}

TEST(Bindings, ConcatenateArrays) {
  expect_merges(rules("* <- *: fail\nsequence <- sequence: append"),
                {{"[]", "[1]", "[1]"}, {"[1]", "[1, [2]]", "[1, 1, [2]]"}});
}

}  // namespace
}  // namespace strata::merge
