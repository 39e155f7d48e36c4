// SPDX-License-Identifier: Apache-2.0
// Writing, making and deleting by paths.
#include <gtest/gtest.h>

#include <string>

#include "deckhand/path/write.hpp"
#include "deckhand/world.hpp"

namespace strata::deckhand {
namespace {

std::string written(World& world, const std::string& data, const std::string& path, const std::string& value) {
  merge::Accumulator accumulator(world.arena, world.limits, world.recorder);
  accumulator.start(world.layer(data));
  write(accumulator, PathExpression::parse(path), world.layer(value), world.rendering);
  return flow(accumulator.current().value);
}

struct WriteCase {
  const char* data;
  const char* path;
  const char* value;
  const char* result;  ///< YAML; or the beginning of an error after `!`.
};

class Writes : public ::testing::TestWithParam<WriteCase> {};

TEST_P(Writes, AreThoseOfTheReference) {
  const auto& [data, path, value, result] = GetParam();
  for (const bool with_history : {true, false}) {
    World world(with_history);
    if (result[0] == '!') {
      EXPECT_EQ(error_of([&, &data = data, &path = path, &value = value] {
                  (void)written(world, data, path, value);
                }).substr(0, std::string(result).size() - 1),
                result + 1);
    } else {
      EXPECT_EQ(written(world, data, path, value), flow(world.yaml(result)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Existing, Writes,
    ::testing::Values(
        WriteCase{"{a: 1}", ".", "text", "text"}, WriteCase{"{a: {x: 1}}", ".a.x", "[2]", "{a: {x: [2]}}"},
        WriteCase{"{m: {p: 0, q: 0}}", ".m.*", "4", "{m: {p: 4, q: 4}}"},
        WriteCase{"{x: [{p: 0}, {p: 2}]}", ".x[*].p", "1", "{x: [{p: 1}, {p: 1}]}"},
        WriteCase{"{a: {k: 1}, b: [{k: 2}]}", "..k", "3", "{a: {k: 3}, b: [{k: 3}]}"},
        WriteCase{"{a: 1, b: 2, c: 3}", ".a,b", "9", "{a: 9, b: 9, c: 3}"},
        WriteCase{"{l: [1, 2, 3]}", ".l[-1]", "6", "{l: [1, 2, 6]}"}, WriteCase{"{x: null}", ".x", "1", "{x: 1}"},
        WriteCase{"{'a.b': {x: 1}}", ".'a.b'", "{y: 2}", "{'a.b': {y: 2}}"},
        WriteCase{"{m: {a: {q: 1}, b: {}}}", "$.m.* where q", "5", "{m: {a: 5, b: {}}}"},
        WriteCase{"{k: {k: {k: 1}}}", "..k", "5", "{k: 5}"},
        WriteCase{"{1: {k: {k: 1}}, '1': {k: 2}, null: {k: 3}}", "..k", "5", "{1: {k: 5}, '1': {k: 5}, null: {k: 5}}"},
        WriteCase{"{.nan: {x: 1}}", ".*.x", "2", "{.nan: {x: 2}}"},
        WriteCase{"{a: {x: 1}}", ".a[*].x", "2", "{a: {x: 2}}"},
        WriteCase{
            "{l: [{p: 1}, 5]}", ".l[*].p", "3",
            "!deckhand.path-write: the path '.l[*].p' cannot be written to: an integer is in the way of the key 'p'"},
        WriteCase{"{s: text}", ".s[0]", "x",
                  "!deckhand.path-write: the path '.s[0]' cannot be written to: text is in the way of the index 0"},
        WriteCase{"{a: {k: 1}}", "..k", "{z: {k: 2}}", "!deckhand.path-write: the path '..k' leads into the value"},
        WriteCase{
            "{a: 1}", ".a.`this`", "2",
            "!deckhand.path-write: the path '.a.`this`' cannot be written to: it does not end in a key or an index"}));

INSTANTIATE_TEST_SUITE_P(
    ListsToItems, Writes,
    ::testing::Values(WriteCase{"{l: [1, 2, 3]}", ".l[1]", "[8, 9]", "{l: [1, 8, 3]}"},
                      WriteCase{"{l: [1, 2, 3]}", ".l[0,2]", "[8, 9]", "{l: [8, 2, 9]}"},
                      WriteCase{"{l: [1, 2]}", ".l[*]", "[8, 9]", "{l: [8, 9]}"},
                      WriteCase{"{m: {a: [1], b: [2]}}", ".m.*[0]", "[8, 9]", "{m: {a: [8], b: [9]}}"},
                      WriteCase{"{l: [1]}", ".l[0]", "[]",
                                "!deckhand.path-write: the path '.l[0]' has more places than the list of 0"},
                      WriteCase{"{l: [1, 2]}", ".l[*]", "[7]",
                                "!deckhand.path-write: the path '.l[*]' has more places than the list of 1"},
                      WriteCase{"{}", ".x[0]", "[5, 6]", "{x: [5]}"}));

INSTANTIATE_TEST_SUITE_P(
    Creation, Writes,
    ::testing::Values(
        WriteCase{"{k: 0}", ".x.y.z", "1", "{k: 0, x: {y: {z: 1}}}"}, WriteCase{"{}", ".x[2]", "v", "{x: [{}, {}, v]}"},
        WriteCase{"{}", "$.x[1].q", "v", "{x: [{}, {q: v}]}"},
        WriteCase{"{}", ".x.'k/l'.m", "1", "{x: {'k/l': {m: 1}}}"},
        WriteCase{"{x: [{y: 0}]}", ".x[2].y", "1", "{x: [{y: 0}, {}, {y: 1}]}"},
        WriteCase{"{}", ".c[0].d.e[1].f", "1", "{c: [{d: {e: [{}, {f: 1}]}}]}"},
        WriteCase{"{}", ".y.*", "1", "{y: {'*': 1}}"}, WriteCase{"{}", "..y", "1", "{'': {y: 1}}"},
        WriteCase{"{}", ".y.1", "1", "{y: {'1': 1}}"}, WriteCase{"{x: []}", ".x[0]", "1", "{x: [1]}"},
        WriteCase{"{l: [{x: 1}]}", ".l[1].q", "8", "{l: [{x: 1}, {q: 8}]}"},
        WriteCase{"{}", ".x.'a.b'", "1", "!deckhand.path-write: the path '.x.'a.b'' does not lead to a place"},
        WriteCase{"{}", ".x[0][1]", "1", "!deckhand.path-write"},
        WriteCase{"{}", ".y['x']", "1", "!deckhand.path-write"}, WriteCase{"{}", ".y[-1]", "1", "!deckhand.path-write"},
        WriteCase{"{b: 5}", ".b.c", "1",
                  "!deckhand.path-write: the path '.b.c' cannot be created: an integer is in the way of the key 'c'"},
        WriteCase{"{b: [1]}", ".b.c", "1",
                  "!deckhand.path-write: the path '.b.c' cannot be created: a sequence is in the way of the key 'c'"},
        WriteCase{"{b: s}", ".b.c.d", "1", "!deckhand.path-write"},
        WriteCase{"{b: null}", ".b.c", "1",
                  "!deckhand.path-write: the path '.b.c' cannot be created: null is in the way"},
        WriteCase{"{x: {}}", ".x[0]", "1",
                  "!deckhand.path-write: the path '.x[0]' cannot be created: a mapping is in the way of the index 0"},
        WriteCase{"{x: {a: 1}}", ".x[0]", "1", "!deckhand.path-lookup"},
        WriteCase{"{x: null}", ".x[0]", "1", "!deckhand.path-write"},
        WriteCase{"null", ".x", "1",
                  "!deckhand.path-write: the path '.x' cannot be created: null is in the way of the key 'x'"},
        WriteCase{"{}", ".x[4000000000]", "1", "!limit.result"},
        WriteCase{"{}", ".x[99999999999999999999999]", "1", "!limit.result"}));

TEST(PathWrites, ListsAreBoundedOverAllWrites) {
  World world(true, {.result = 1000});
  EXPECT_EQ(written(world, "{x: [1]}", ".x[500]", "1").substr(0, 8), "{\"x\": [1");
  EXPECT_EQ(error_of([&] { (void)written(world, "{}", ".x[600]", "1"); }).substr(0, 12), "limit.result");
}

TEST(PathWrites, WhatIsWrittenKeepsItsHistory) {
  World world;
  merge::Accumulator data(world.arena, world.limits, world.recorder);
  data.start(world.layer("{a: 1, b: 2}"));
  write(data, PathExpression::parse(".x.y[1]"),
        PathExpression::parse(".v").read(world.layer("{v: {w: 3}}"), world.rendering).value(), world.rendering);
  const auto history = world.history().explain(data.current(), {"x", "y", "1", "w"});
  ASSERT_EQ(history.size(), 1U);
  EXPECT_EQ(world.history().layer_name(history[0].contributions.at(0).layer), "L1");
  EXPECT_EQ(world.sources.place(history[0].value.origin()).to_string(), "L1:1:9");
}

struct Deletion {
  const char* data;
  const char* path;
  const char* promised;
  const char* shipped;
};

class Deletions : public ::testing::TestWithParam<Deletion> {};

TEST_P(Deletions, TakeThePlaceOrTheFirstEqualValue) {
  for (const Compat compat : {Compat::promised, Compat::shipped}) {
    World world;
    merge::Accumulator data(world.arena, world.limits, world.recorder);
    data.start(world.layer(GetParam().data));
    const bool erased =
        erase(data, PathExpression::parse(GetParam().path), world.layer("by"), compat, world.rendering).has_value();
    const std::string expected = compat == Compat::promised ? GetParam().promised : GetParam().shipped;
    EXPECT_EQ(erased ? flow(data.current().value) : "none", expected == "none" ? expected : flow(world.yaml(expected)));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Table, Deletions,
    ::testing::Values(Deletion{"{a: 1, b: 2}", ".", "{}", "{}"}, Deletion{"{a: 1, b: 2}", "$", "{}", "{a: 1, b: 2}"},
                      Deletion{"{a: {x: 10, y: 20}}", ".a.y", "{a: {x: 10}}", "{a: {x: 10}}"},
                      Deletion{"{l: [p, q, r]}", ".l[1]", "{l: [p, r]}", "{l: [p, r]}"},
                      Deletion{"{a: null}", ".a", "none", "none"}, Deletion{"{q: 1}", ".a", "none", "none"},
                      Deletion{"{a: 1, b: 1}", ".b", "{a: 1}", "{b: 1}"},
                      Deletion{"{a: {x: {}}, b: {}}", ".b", "{a: {x: {}}}", "{a: {}, b: {}}"},
                      Deletion{"{a: true, b: 1.0, c: 1}", ".c", "{a: true, b: 1.0}", "{b: 1.0, c: 1}"}));

TEST(ActionPaths, AreNormalised) {
  for (const char* path : {"a.b", ".a.b", ".data.a.b", "$.data.a.b"})
    EXPECT_EQ(action_path(path, Compat::promised), ".a.b") << path;
  EXPECT_EQ(action_path("$.a.b", Compat::promised), "$.a.b");
  for (const char* path : {"", ".", ".data", "$.data", ".data."})
    EXPECT_EQ(action_path(path, Compat::promised), ".") << path;
  EXPECT_EQ(action_path("$", Compat::promised), "$");
  EXPECT_EQ(action_path(".data[0]", Compat::promised), ".[0]");
  EXPECT_EQ(action_path(".database", Compat::promised), ".database");
  EXPECT_EQ(action_path(".database", Compat::shipped), ".base");
}

TEST(DestinationPaths, BeginAtTheRoot) {
  for (const char* path : {".", "$", ".a", "$.a", ".['x']"}) EXPECT_TRUE(is_destination(path)) << path;
  for (const char* path : {"", "x.y", "$x", "$['x']"}) EXPECT_FALSE(is_destination(path)) << path;
}

}  // namespace
}  // namespace strata::deckhand
