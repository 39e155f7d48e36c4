// SPDX-License-Identifier: Apache-2.0
// What a recorder gives, and what errors of the kernel know through it.
#include <gtest/gtest.h>

#include <functional>

#include "world.hpp"

namespace strata::merge {
namespace {

TEST(NullRecorder, GivesEmptySlots) {
  World world;
  Recorder& recorder = world.nothing;
  EXPECT_FALSE(recorder.keeps());
  EXPECT_EQ(recorder.history(), nullptr);
  EXPECT_EQ(recorder.add_layer("L"), Slot());
  EXPECT_EQ(recorder.layers(), 0U);
  recorder.meet_now(0, 0);
  const Traced one{world.yaml("[1, [2]]"), Slot(7)};
  const Traced other{world.yaml("[3]"), Slot(8)};
  EXPECT_EQ(recorder.derive(other.value, std::span(&one, 1)).slot, Slot());
  EXPECT_EQ(recorder.compose(other.value, std::span(&one, 1)).slot, Slot());
  const Traced chosen = recorder.choose(one, other);
  EXPECT_EQ(chosen.slot, Slot());
  EXPECT_TRUE(identical(chosen.value, one.value));
  EXPECT_EQ(flattened({one.value, {}}, world.arena, world.limits, recorder).slot, Slot());
  EXPECT_EQ(merge::merge({one.value, {}}, {other.value, {}}, rules("sequence <- sequence: append"), world.arena,
                         world.limits, recorder)
                .slot,
            Slot());
}

TEST(Slots, ThatAreEmptyBelongToNoLayer) {
  World world;
  EXPECT_EQ(Slot().layer(), kNoLayer);
  EXPECT_EQ(Slot().node(), nullptr);
  const Traced known = world.layer("{a: 1, c: 1}");
  const Traced total =
      merge::merge(known, {world.yaml("{b: 2, c: 2}"), {}}, deep_replace(), world.arena, world.limits, world.history);
  std::string told;
  for (const PathHistory& path : world.history.explain(total)) {
    told += path.path.pointer() + ":";
    for (const Contribution& one : path.contributions)
      told += " " + world.history.layer_name(one.layer) + " " + std::string(to_string(one.fate));
    told += "\n";
  }
  EXPECT_EQ(told, "/a: L0 won\n/c: L0 shadowed\n/b:\n");
}

TEST(KernelErrors, NameBothPlaces) {
  const auto places = [](const std::function<void(World&)>& act) {
    World world;
    try {
      act(world);
    } catch (const Error& error) {
      const Diagnostic& told = error.diagnostic();
      return told.code + " " + told.where.place.to_string() + " " +
             (told.notes.empty() ? "" : told.notes.front().place.to_string());
    }
    return std::string("none");
  };
  const auto merging = [](const char* old, const char* incoming, const Strategy& strategy, const Limits& limits) {
    return [=](World& world) {
      world.limits = limits;
      const Traced stored{world.yaml(old, "old"), {}};
      const Traced arriving{world.yaml(incoming, "new"), {}};
      (void)merge::merge(stored, arriving, strategy, world.arena, world.limits, world.nothing);
    };
  };
  const auto folding = [](const char* old, const char* incoming, const Strategy& strategy, const Limits& limits) {
    return [=](World& world) {
      world.limits = limits;
      const Traced stored{world.yaml(old, "old"), {}};
      const Traced arriving{world.yaml(incoming, "new"), {}};
      Accumulator total(world.arena, world.limits, world.nothing);
      total.start(stored);
      total.merge(arriving, strategy);
    };
  };
  const Strategy strict = rules("mapping <- mapping: recurse", "* <- *: fail");
  EXPECT_EQ(places(merging("{k: 1}", "{k: x}", strict, {})), "merge.kind-mismatch new:1:5 old:1:5");
  EXPECT_EQ(places(folding("{k: 1}", "{k: x}", strict, {})), "merge.kind-mismatch new:1:5 old:1:5");
  const Strategy sorted = rules("sequence <- sequence: merge_lists", "", "", "sort lists");
  EXPECT_EQ(places(merging("[1]", "[x]", sorted, {})).substr(0, 14), "merge.unsortab");
  const Strategy joined = rules("text <- text: join");
  EXPECT_EQ(places(merging("abcdef", "ghijkl", joined, {.input = 10})), "limit.result new:1:1 old:1:1");
  EXPECT_EQ(places(folding("abcdef", "ghijkl", joined, {.input = 10})), "limit.result new:1:1 old:1:1");
  EXPECT_EQ(places([](World& world) {
              const Traced stored{world.yaml("{a: {b: {c: 1}}}", "old"), {}};
              const Traced arriving{world.yaml("{a: {b: {c: 2}}}", "new"), {}};
              world.limits.depth = 2;
              (void)merge::merge(stored, arriving, deep_replace(), world.arena, world.limits, world.nothing);
            }),
            "limit.depth new:1:9 old:1:9");
}

}  // namespace
}  // namespace strata::merge
