// SPDX-License-Identifier: Apache-2.0
// Values that layers are merged into in place, and what must not change along with them.
#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "world.hpp"

namespace strata::merge {
namespace {

Strategy grow() {
  return rules("mapping <- mapping: recurse\nsequence <- sequence: append\ntext <- text: join",
               "mapping <- mapping: recurse\nsequence <- sequence: append\ntext <- text: join");
}

class Accumulating : public ::testing::TestWithParam<bool> {
 protected:
  Traced layer(const std::string& text) { return world.layer(text); }
  std::vector<Path::Step> path(const std::string& pointer) {
    std::vector<Path::Step> steps;
    for (const std::string& token : parse_pointer(pointer)) {
      if (token.find_first_not_of("0123456789") == std::string::npos) {
        steps.emplace_back(static_cast<std::size_t>(std::stoul(token)));
      } else {
        steps.emplace_back(world.arena.key(token));
      }
    }
    return steps;
  }
  void expect(const std::string& value) {
    EXPECT_EQ(flow(total.current().value), flow(world.yaml(value)));
    if (GetParam()) {
      EXPECT_FALSE(world.history.explain(total.current()).empty());
    }
  }

  World world;
  Accumulator total{world.arena, world.limits, world.recorder(GetParam())};
};

TEST_P(Accumulating, WhatIsDerivedTakesThePlaceOfWhatItCameFrom) {
  total.start(layer("{a: [x, y], b: z}"));
  const Traced more = layer("more");
  for (const char* pointer : {"/a/1", "/b"}) {
    const Traced old = *total.at(path(pointer));
    const Value value = world.arena.text("new");
    total.revise(path(pointer), world.recorder(GetParam()).derive(value, {{old, more}}));
  }
  expect("{a: [x, new], b: new}");
  if (GetParam()) {
    EXPECT_EQ(world.history.explain(total.current(), {"a", "1"}).at(0).contributions.size(), 2U)
        << "the old value is told of once";
  }
  total.revise({}, more);
  expect("more");
}

TEST_P(Accumulating, ALargeLayerOverASmallOneKeepsToItself) {
  std::string members;
  for (int i = 0; i < 40; ++i) members += "k" + std::to_string(i) + ": [" + std::to_string(i) + "], ";
  const Traced large = layer("{" + members + "}");
  const std::string before = flow(large.value);
  total.start(layer("{z: [0]}"));
  total.merge(large, grow());
  expect("{z: [0], " + members + "}");
  total.merge(layer("{k0: [x], new: [y]}"), grow());
  total.put(path("/z"), layer("put"));
  EXPECT_EQ(flow(large.value), before);
  EXPECT_EQ(flow(total.at(path("/k0"))->value), R"([0, "x"])");
  EXPECT_EQ(total.current().value.size(), 42U);
  EXPECT_EQ(total.current().value.entries()[0].key.text(), "z");
  EXPECT_EQ(total.current().value.entries()[40].key.text(), "k39");
  // Members that meet are merged.
  total.start(layer("{k1: [z]}"));
  total.merge(large, grow());
  EXPECT_EQ(flow(total.at(path("/k1"))->value), R"(["z", 1])");
  EXPECT_EQ(total.current().value.size(), 40U);
}

TEST_P(Accumulating, TheSameLayerTwice) {
  const Traced one = layer("{a: {b: [1]}, t: x}");
  total.start(layer("{}"));
  total.merge(one, grow());
  total.merge(one, grow());
  total.merge(one, grow());
  expect("{a: {b: [1, 1, 1]}, t: xxx}");
  EXPECT_EQ(flow(one.value), flow(world.yaml("{a: {b: [1]}, t: x}")));
}

TEST_P(Accumulating, AtAPlace) {
  const Traced base = layer("{a: [{x: {k: 1}}, 2], b: 1}");
  total.start(base);
  total.merge_at(path("/a/0"), layer("{x: {l: 2}, y: 3}"), deep_replace());
  total.merge_at(path("/a/0/x"), layer("{k: 4}"), deep_replace());
  total.merge_at(path("/a/1"), layer("[5]"), deep_replace());
  expect("{a: [{x: {k: 4, l: 2}, y: 3}, [5]], b: 1}");
  EXPECT_EQ(flow(base.value), flow(world.yaml("{a: [{x: {k: 1}}, 2], b: 1}")));
  total.merge_at({}, layer("{b: 2}"), deep_replace());
  expect("{a: [{x: {k: 4, l: 2}, y: 3}, [5]], b: 2}");
  if (!GetParam()) return;
  const auto histories = world.history.explain(total.current(), {"a", "0", "x", "k"});
  ASSERT_EQ(histories.size(), 1U);
  ASSERT_EQ(histories[0].contributions.size(), 2U);
  EXPECT_EQ(histories[0].contributions[0].fate, Fate::shadowed);
  EXPECT_EQ(histories[0].contributions[1].fate, Fate::won);
}

TEST_P(Accumulating, ItsOwnValue) {
  total.start(layer("{a: {b: [1]}, t: x}"));
  total.merge(layer("{a: {b: [2], c: {}}, t: y}"), grow());
  const Traced itself = total.current();
  total.merge(itself, grow());
  expect("{a: {b: [1, 2, 1, 2], c: {}}, t: xyxy}");
}

TEST_P(Accumulating, CopiesAreIndependent) {
  total.start(layer("{a: {x: {n: 1}, l: [1], t: p}}"));
  total.merge(layer("{a: {x: {m: 2}, l: [2], t: q}}"), grow());
  total.put(path("/c"), *total.at(path("/a")));
  total.put(path("/d"), *total.at(path("/a/t")));
  total.merge(layer("{a: {x: {o: 3}, l: [3], t: r}}"), grow());
  total.merge(layer("{d: s}"), grow());
  total.put(path("/c/x/n"), layer("9"));
  expect("{a: {x: {n: 1, m: 2, o: 3}, l: [1, 2, 3], t: pqr}, c: {x: {n: 9, m: 2}, l: [1, 2], t: pq}, d: pqs}");
}

TEST_P(Accumulating, EditsInsertAndErase) {
  total.start(layer("{l: [1, 2, 3], m: {a: 1}}"));
  const Traced by{Value(), layer("~").slot};
  total.insert(path("/l/1"), layer("9"));
  total.erase(path("/l/3"), &by);
  total.erase(path("/m/a"), &by);
  total.put(path("/m/a"), layer("2"));
  total.insert(path("/l/3"), *total.at(path("/m")));
  total.put(path("/m/b"), layer("4"));
  total.put(path("/l/0"), layer("0"));
  expect("{l: [0, 9, 2, {a: 2}], m: {a: 2, b: 4}}");
}

TEST_P(Accumulating, CheckpointsStay) {
  total.start(layer("{a: {b: [1]}, t: x}"));
  total.merge(layer("{a: {b: [2]}, t: y}"), grow());
  total.checkpoint();
  const Traced before = total.current();
  total.merge(layer("{a: {b: [3]}, t: z}"), grow());
  EXPECT_EQ(flow(before.value), flow(world.yaml("{a: {b: [1, 2]}, t: xy}")));
  total.start(before);
  total.merge(layer("{a: {b: [4]}}"), grow());
  expect("{a: {b: [1, 2, 4]}, t: xy}");
}

TEST_P(Accumulating, FailuresBelowConvertedItems) {
  const Strategy strict =
      rules("sequence <- sequence: by_index",
            "mapping <- mapping: recurse\nsequence <- text: characters_as_items\nsequence <- mapping: keys_as_items",
            "mapping <- text: fail");
  Strategy both = strict;
  set_cells(both.root, {Shape::mapping}, {Shape::mapping}, Action::recurse);
  total.start(layer("{n: 1, l: [a, {}, {x: 1}]}"));
  total.merge(layer("{n: 2}"), both);
  for (const char* bad : {"{n: 3, l: xyz}", "{n: 3, l: {p: 1, q: 2, r: 3}}"})
    STRATA_EXPECT_ERROR(total.merge(layer(bad), both), "merge.kind-mismatch");
  world.limits.result = 2;
  STRATA_EXPECT_ERROR(total.merge(layer("{n: 3, l: xyz}"), both), "limit.result");
  world.limits.result = 100;
  expect("{n: 2, l: [a, {}, {x: 1}]}");
}

TEST_P(Accumulating, JoinedTextsHaveALimit) {
  total.start(layer("{n: 1, t: abc}"));
  total.merge(layer("{t: d}"), grow());
  const Traced more = layer("{n: 2, t: e}");
  world.limits.input = 4;
  STRATA_EXPECT_ERROR(total.merge(more, grow()), "limit.result");
  world.limits.input = 1000;
  expect("{n: 1, t: abcd}");
}

TEST_P(Accumulating, RemovedItemsLeaveNoHoles) {
  total.start(layer("[1, 2, 3, 4]"));
  total.merge(layer("[~, 5, ~]"), rules("sequence <- sequence: by_index", "", "* <- null: remove"));
  expect("[5, 4]");
}

TEST_P(Accumulating, DeepValuesHaveALimit) {
  std::string deep;
  for (int i = 0; i < 50; ++i) deep += "{a: ";
  const std::string value = deep + "1" + std::string(50, '}');
  total.start(layer(value));
  const Traced again = layer(value);
  world.limits.depth = 20;
  STRATA_EXPECT_ERROR(total.merge(again, deep_replace()), "limit.depth");
  Strategy loop = rules("mapping <- mapping: self_merge");
  STRATA_EXPECT_ERROR(total.merge(again, loop), "limit.depth");
  set_cells(loop.root, {Shape::null}, {Shape::null}, Action::fail);
  STRATA_EXPECT_ERROR(total.merge(again, loop), "limit.depth");
}

TEST_P(Accumulating, FunctionsMayGoOnAfterErrors) {
  Strategy strategy = rules("mapping <- mapping: recurse\nsequence <- sequence: append\nmapping <- text: fail",
                            "mapping <- mapping: recurse\nsequence <- sequence: append\ntext <- text: call patient");
  const Call patient = [](const Builder&, const Traced& old, const Traced& incoming, const Recurse& recurse) {
    for (int i = 0; i < 1000; ++i) {
      Arena scratch;
      try {
        (void)recurse({scratch.mapping(), {}}, incoming);
      } catch (const Error&) {
        continue;
      }
    }
    return old;
  };
  set_cells(strategy.root, {Shape::empty_mapping}, {Shape::text, Shape::empty_text}, Action::fail);
  total.start(layer("{t: x, l: [1]}"));
  const std::vector<Call> calls{patient};
  total.merge(layer("{t: y, l: [2]}"), strategy, calls);
  total.merge(layer("{t: z, l: [3]}"), strategy, calls);
  expect("{t: x, l: [1, 2, 3]}");
}

TEST_P(Accumulating, LongChains) {
  constexpr int kLayers = 100'000;
  const Traced one = layer("{k: 1}");
  const Traced nothing = layer("{k: ~}");
  const Strategy remove = rules("mapping <- mapping: recurse", "* <- null: remove\ntext <- text: join");
  const Traced text = layer("{t: x}");
  total.start(layer("{k: 0}"));
  for (int i = 0; i < kLayers; ++i) {
    total.merge(one, deep_replace());
    if (i % 100 == 0) total.merge(nothing, remove);
    total.merge(text, remove);
  }
  EXPECT_EQ(total.current().value.find("t")->text().size(), static_cast<std::size_t>(kLayers));
  if (GetParam()) {
    const auto all = world.history.explain(total.current());
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].contributions.size(), static_cast<std::size_t>(kLayers));
    EXPECT_EQ(all[1].contributions.size(), static_cast<std::size_t>(kLayers + 1 + kLayers / 100));
  }
}

TEST_P(Accumulating, LongChainsThatGrowAtTheirFarEnd) {
  Traced value = layer("{k: 0}");
  Traced scalar = layer("0");
  const Traced weaker = layer("{k: 1}");
  Recorder& recorder = world.recorder(GetParam());
  for (int i = 0; i < 100'000; ++i) {
    value = merge::merge(weaker, value, deep_replace(), world.arena, world.limits, recorder);
    scalar = merge::merge(weaker, scalar, deep_replace(), world.arena, world.limits, recorder);
  }
  EXPECT_EQ(value.value.find("k")->as_integer(), 0);
  if (GetParam()) {
    EXPECT_EQ(world.history.explain(value).front().contributions.size(), 100'001U);
    EXPECT_EQ(world.history.explain(scalar).front().contributions.size(), 100'001U);
  }
}

INSTANTIATE_TEST_SUITE_P(With, Accumulating, ::testing::Bool(),
                         [](const auto& which) { return which.param ? "History" : "Nothing"; });

TEST(Merging, SecretsStaySecret) {
  World world;
  const auto secret = [&world](const std::string& text) { return world.yaml(text).with_secret(); };
  EXPECT_TRUE(world.merged(world.yaml("{}"), secret("{a: 1}"), deep_replace()).find("a")->is_secret());
  EXPECT_TRUE(world.merged(world.yaml("{a: 0}"), secret("{a: 1}"), deep_replace()).find("a")->is_secret());
  EXPECT_TRUE(world.merged(secret("{a: 0}"), world.yaml("{a: 1}"), deep_replace()).is_secret());
  for (const char* action : {"append", "prepend", "union", "by_index", "by_index_extend"}) {
    const Strategy strategy = rules(std::string("sequence <- sequence: ") + action);
    const Value result = world.merged(world.yaml("[a]"), secret("[b, c]"), strategy);
    EXPECT_FALSE(result.is_secret());
    for (const Value& item : result.items()) EXPECT_EQ(item.is_secret(), item.text() != "a") << action;
    EXPECT_TRUE(world.merged(secret("[a]"), world.yaml("[b]"), strategy).is_secret()) << action;
  }
  EXPECT_TRUE(world.merged(secret("a"), world.yaml("b"), grow()).is_secret());
  EXPECT_TRUE(world.merged(world.yaml("a"), secret("b"), grow()).is_secret());
  const Strategy items =
      rules("sequence <- sequence: append\nsequence <- text: characters_as_items\nsequence <- mapping: keys_as_items");
  EXPECT_TRUE(world.merged(world.yaml("[a]"), secret("xy"), items).items()[2].is_secret());
  EXPECT_TRUE(world.merged(world.yaml("[a]"), secret("{x: 1}"), items).items()[1].is_secret());
}

TEST(Merging, GivesBothPlacesOfAMismatch) {
  World world;
  const Strategy strict = rules("mapping <- sequence: fail");
  try {
    (void)world.merged(world.yaml("a: 1\n", "a.yaml"), world.yaml("\n- 1\n", "b.yaml"), strict);
    FAIL();
  } catch (const KindMismatch& mismatch) {
    EXPECT_EQ(mismatch.diagnostic().where.place.to_string(), "b.yaml:2:1");
    EXPECT_EQ(mismatch.diagnostic().notes.at(0).place.to_string(), "a.yaml:1:1");
  }
}

}  // namespace
}  // namespace strata::merge
