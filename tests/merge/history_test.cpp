// What becomes of every layer's contribution.
#include <gtest/gtest.h>

#include "strata/builder.hpp"
#include "strata/scalar_text.hpp"
#include "world.hpp"

namespace strata::merge {
namespace {

class Histories : public ::testing::Test {
 protected:
  void start(const std::string& text) { total.start(world.layer(text)); }
  void merge(const std::string& text, const Strategy& strategy, std::span<const Call> calls = {}) { total.merge(world.layer(text), strategy, calls); }

  /// `path value: layer fate value, …` line by line; the layer by its number.
  std::string told(const std::vector<std::string>& prefix = {}) {
    std::string out;
    for (const PathHistory& path : world.history.explain(total.current(), prefix)) {
      out += path.path.pointer() + " " + (path.value ? flow(path.value) : "-") + ":";
      for (const Contribution& one : path.contributions) {
        out += " " + std::to_string(one.layer) + " " + std::string(to_string(one.fate)) + " " + flow(one.value) + ",";
      }
      out.back() = '\n';
    }
    return out;
  }

  World world;
  Accumulator total{world.arena, world.limits, world.history};
};

const Strategy& appending() {
  static const Strategy kStrategy =
      rules("mapping <- mapping: recurse", "mapping <- mapping: recurse\nsequence <- sequence: append\ntext <- text: join\n* <- null: remove");
  return kStrategy;
}

TEST_F(Histories, TookAndKept) {
  start("{k: 1}");
  merge("{k: 2}", deep_replace());
  merge("{k: 3}", rules("mapping <- mapping: recurse", "number <- number: keep_old"));
  EXPECT_EQ(told(), "/k 2: 0 shadowed 1, 1 won 2, 2 shadowed 3\n");
}

TEST_F(Histories, JoinedTexts) {
  start("{k: a}");
  merge("{k: b}", appending());
  merge("{k: c}", appending());
  EXPECT_EQ(told(), "/k \"abc\": 0 merged \"a\", 1 merged \"b\", 2 merged \"c\"\n");
  merge("{k: 1}", appending());
  EXPECT_EQ(told(), "/k 1: 0 shadowed \"a\", 1 shadowed \"b\", 2 shadowed \"c\", 3 won 1\n");
}

TEST_F(Histories, RemovedAndAddedAgain) {
  start("{k: 1, l: 1}");
  merge("{k: ~}", appending());
  EXPECT_EQ(told(), "/l 1: 0 won 1\n/k -: 0 removed 1, 1 removed null\n");
  merge("{k: 2}", appending());
  EXPECT_EQ(told({"k"}), "/k 2: 0 removed 1, 1 removed null, 2 won 2\n");
  merge("{k: ~}", appending());
  EXPECT_EQ(told({"k"}), "/k -: 0 removed 1, 1 removed null, 2 removed 2, 3 removed null\n");
  merge("{k: 3}", appending());
  EXPECT_EQ(told({"k"}), "/k 3: 0 removed 1, 1 removed null, 2 removed 2, 3 removed null, 4 won 3\n");
}

TEST_F(Histories, ManyKeysRemovedAndAddedAgain) {
  std::string all;
  std::string none;
  for (int i = 0; i < 30; ++i) {
    all += "k" + std::to_string(i) + ": 1\n";
    none += "k" + std::to_string(i) + ": ~\n";
  }
  start(all);
  merge(none, appending());
  merge(all, appending());
  merge("k3: ~", appending());
  merge("k3: 2", appending());
  EXPECT_EQ(told({"k7"}), "/k7 1: 0 removed 1, 1 removed null, 2 won 1\n");
  EXPECT_EQ(told({"k3"}), "/k3 2: 0 removed 1, 1 removed null, 2 removed 1, 3 removed null, 4 won 2\n");
}

TEST_F(Histories, DroppedAtOnce) {
  start("{k: 1}");
  merge("{n: ~}", appending());
  EXPECT_EQ(told(), "/k 1: 0 won 1\n/n -: 1 removed null\n");
}

TEST_F(Histories, DroppedItems) {
  start("[a, b]");
  merge("[A, B, C]", rules("sequence <- sequence: by_index"));
  EXPECT_EQ(told(), "/0 \"A\": 0 shadowed \"a\", 1 won \"A\"\n/1 \"B\": 0 shadowed \"b\", 1 won \"B\"\n/2 -: 1 removed \"C\"\n");
}

TEST_F(Histories, ContainersAndScalars) {
  start("{k: {x: 1}}");
  merge("{k: 2}", deep_replace());
  EXPECT_EQ(told(), "/k 2: 0 shadowed {\"x\": 1}, 1 won 2\n/k/x -: 0 shadowed 1\n");
  merge("{k: {y: 3}}", deep_replace());
  EXPECT_EQ(told({"k", "y"}), "/k/y 3: 2 won 3\n");
  EXPECT_EQ(told({"k", "x"}), "/k/x -: 0 shadowed 1\n");
  merge("{k: {x: 4}}", deep_replace());
  EXPECT_EQ(told({"k", "x"}), "/k/x 4: 0 shadowed 1, 3 won 4\n");
}

TEST_F(Histories, PrefixesTellWhatAllTells) {
  start("{a: {x: {p: 1}}, b: 1}");
  merge("{a: 5}", deep_replace());
  merge("{a: {x: {q: 2}}}", deep_replace());
  EXPECT_EQ(told({"a", "x"}), "/a/x/q 2: 2 won 2\n/a/x/p -: 0 shadowed 1\n");
  EXPECT_NE(told().find(told({"a", "x", "p"})), std::string::npos);
  EXPECT_EQ(told({"nowhere"}), "");
}

TEST_F(Histories, ItemsTakeTheirHistoryAlong) {
  start("{l: [{n: 1}]}");
  merge("{l: [{n: 2}]}", rules("mapping <- mapping: recurse", "sequence <- sequence: by_index", "mapping <- mapping: recurse"));
  merge("{l: [a]}", rules("mapping <- mapping: recurse", "sequence <- sequence: prepend"));
  merge("{l: [z]}", appending());
  EXPECT_EQ(told(), "/l/0 \"a\": 2 won \"a\"\n/l/1/n 2: 0 shadowed 1, 1 won 2\n/l/2 \"z\": 3 won \"z\"\n");
}

TEST_F(Histories, UnionsKeepTheFirst) {
  start("[a, b, a]");
  merge("[b, c]", rules("sequence <- sequence: union"));
  EXPECT_EQ(told(), "/0 \"a\": 0 won \"a\", 0 shadowed \"a\"\n/1 \"b\": 0 won \"b\", 1 shadowed \"b\"\n/2 \"c\": 1 won \"c\"\n");
}

TEST_F(Histories, SelfMergesHaveOneSource) {
  const Strategy deep = rules("mapping <- mapping: recurse\nsequence <- sequence: union",
                              "absent <- *: self_merge\n* <- absent: keep_old\nsequence <- sequence: union");
  start("{m: 1}");
  merge("{n: [a, a, b], o: {p: 1}}", deep);
  EXPECT_EQ(told(), "/m 1: 0 won 1\n/n/0 \"a\": 1 won \"a\"\n/n/1 \"b\": 1 won \"b\"\n/o/p 1: 1 won 1\n");
}

TEST_F(Histories, LayersOfLayers) {
  start("{k: 1, l: [a]}");
  merge("{k: 2, l: [b]}", appending());
  Accumulator outer(world.arena, world.limits, world.history);
  outer.start(world.layer("{k: 0, l: [z]}"));
  total.checkpoint();
  outer.merge(total.current(), appending());
  outer.merge(world.layer("{l: [y]}"), appending());
  total.start(outer.current());
  EXPECT_EQ(told(),
            "/k 2: 0 shadowed 1, 1 won 2, 2 shadowed 0\n/l/0 \"z\": 2 won \"z\"\n/l/1 \"a\": 0 won \"a\"\n/l/2 \"b\": 1 won \"b\"\n/l/3 \"y\": 3 won "
            "\"y\"\n");
}

TEST_F(Histories, WhatFunctionsMake) {
  const Strategy strategy = rules("mapping <- mapping: recurse", "mapping <- mapping: call both");
  const std::vector<Call> calls{[](Arena& arena, const Value& old, const Value& incoming, const Recurse&) {
    MappingBuilder made(arena);
    for (const Entry& entry : incoming.entries()) made.insert(entry.key, entry.value);
    if (const Value* x = old.find("x")) made.insert("x", *x);
    made.insert("size", Value::integer(static_cast<std::int64_t>(old.size())));
    return made.finish();
  }};
  start("{m: {x: 1, gone: 1}}");
  merge("{m: {x: 2, y: 2}}", strategy, calls);
  const std::string once = "/m/x 1: 0 merged 1, 1 merged 2\n/m/y 2: 1 merged 2\n/m/size 2: 1 merged 2\n/m/gone -: 0 ";
  EXPECT_EQ(told().substr(0, once.size()), once);
  // A member more: what was made before is known as before.
  merge("{m: {z: 3}}", deep_replace());
  EXPECT_EQ(told({"m", "x"}), "/m/x 1: 0 merged 1, 1 merged 2\n");
  EXPECT_EQ(told({"m", "y"}), "/m/y 2: 1 merged 2\n");
  EXPECT_EQ(told({"m", "z"}), "/m/z 3: 2 won 3\n");
  EXPECT_EQ(told({"m", "gone"}), "/m/gone -: 0 removed 1\n");
  // Again a function, over its own result: more members than either side had.
  merge("{m: {q: 4}}", strategy, calls);
  EXPECT_NE(told({"m", "x"}).find("0 merged 1, 1 merged 2"), std::string::npos);
}

TEST_F(Histories, Edits) {
  const auto key = [this](const char* name) { return std::vector<Path::Step>{world.arena.key(name)}; };
  start("{a: {x: 1}, l: [1, 2]}");
  merge("{a: {x: 2}}", deep_replace());
  total.put(key("b"), *total.at(key("a")));
  merge("{a: {x: 3}}", deep_replace());
  EXPECT_EQ(told({"b"}), "/b/x 2: 0 shadowed 1, 1 won 2\n");
  EXPECT_EQ(told({"a"}), "/a/x 3: 0 shadowed 1, 1 shadowed 2, 2 won 3\n");
  const Traced by{Value(), world.layer("~").slot};
  const Traced moved = *total.at(key("b"));
  total.erase(key("b"), &by);
  total.put(key("c"), moved);
  merge("{c: {x: 4, y: 1}}", deep_replace());
  EXPECT_EQ(told({"b"}), "/b/x -: 0 shadowed 1, 1 removed 2\n");
  EXPECT_EQ(told({"c"}), "/c/x 4: 0 shadowed 1, 1 shadowed 2, 4 won 4\n/c/y 1: 4 won 1\n");
  total.erase(key("a"), nullptr);
  EXPECT_EQ(told({"a"}), "");
}

TEST_F(Histories, DerivedValues) {
  const Traced a = world.layer("x");
  const Traced b = world.layer("y");
  const std::vector<Traced> inputs{a, b};
  total.start(world.history.derive(world.arena.text("x-y"), inputs));
  EXPECT_EQ(told(), " \"x-y\": 0 merged \"x\", 1 merged \"y\"\n");
  total.start(world.history.derive(world.arena.text("z"), {}));
  EXPECT_EQ(told().substr(0, 4), " \"z\"");
}

TEST_F(Histories, ContributionsReadTheSameFromTheirSource) {
  start("{a: 'q', b: 0x1F, c: [1.50, ~, 2001-12-14], d: !!str 5}");
  merge("{a: \"w\", b: 07, c: [yes]}", appending());
  for (const PathHistory& path : world.history.explain(total.current())) {
    for (const Contribution& one : path.contributions) {
      const Place place = world.sources.place(one.value.origin());
      ASSERT_TRUE(place.column);
      std::string rest = world.sources.line_of(one.value.origin()).substr(*place.column - 1);
      rest = rest.substr(0, rest.find_first_of(",]}"));
      if (path.path.pointer() == "/d") rest = "!!str " + rest;
      EXPECT_EQ(flow(world.yaml(rest)), flow(one.value));
    }
  }
}

}  // namespace
}  // namespace strata::merge
