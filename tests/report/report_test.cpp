// SPDX-License-Identifier: Apache-2.0
// Blame and explain: their shapes, that they agree with the value, and that they keep secrets.
#include "strata/report.hpp"

#include <gtest/gtest.h>

#include "merge/world.hpp"
#include "strata/builder.hpp"

namespace strata::report {
namespace {

std::string json(const Value& value) { return text::write_json(value, {.sort_keys = false, .indent = -1}); }

class Reports : public ::testing::Test {
 protected:
  Reports() {
    total.start(world.layer("hostname: a\nkeep: 1\n"));
    total.merge(world.layer("\nhostname: b\nnew: []\n"), merge::deep_replace());
  }
  merge::World world;
  merge::Accumulator total{world.arena, world.limits, world.history};
};

TEST_F(Reports, Blame) {
  EXPECT_EQ(blame_text(world.sources, total.current().value, {}),
            "L1:2 | hostname: b\nL0:2 | keep: 1\nL1:3 | new: []\n");
  EXPECT_EQ(json(blame_data(world.arena, world.sources, total.current().value)),
            "[{\"path\": \"/hostname\", \"value\": \"b\", \"file\": \"L1\", \"line\": 2, \"column\": 11}, "
            "{\"path\": \"/keep\", \"value\": 1, \"file\": \"L0\", \"line\": 2, \"column\": 7}, "
            "{\"path\": \"/new\", \"value\": [], \"file\": \"L1\", \"line\": 3, \"column\": 6}]\n");
}

TEST_F(Reports, Explain) {
  EXPECT_EQ(
      json(explain_data(world.arena, world.sources, world.history,
                        world.history.explain(total.current(), {"hostname"}))),
      "[{\"path\": \"/hostname\", \"value\": \"b\", \"history\": ["
      "{\"layer\": \"L0\", \"file\": \"L0\", \"line\": 1, \"column\": 11, \"fate\": \"shadowed\", \"value\": \"a\"}, "
      "{\"layer\": \"L1\", \"file\": \"L1\", \"line\": 2, \"column\": 11, \"fate\": \"won\", \"value\": \"b\"}]}]\n");
  EXPECT_EQ(explain_text(world.sources, world.history, world.history.explain(total.current(), {"hostname"})),
            "/hostname: \"b\"\n  won       L1:2:11  \"b\"\n  shadowed  L0:1:11  \"a\"\n");
}

TEST(Explanations, ShowTheWinnerFirst) {
  merge::World world;
  merge::Accumulator total(world.arena, world.limits, world.history);
  total.start(world.layer("k: 0\n"));
  for (const char* text : {"k: 1\n", "k: 2\n"}) total.merge(world.layer(text), merge::deep_replace());
  for (const char* text : {"k: 3\n", "k: 4\n"})
    total.merge(world.layer(text), merge::rules("mapping <- mapping: recurse", "* <- *: keep_old"));
  // What it beat, the latest first, stands behind what came later and gave way.
  EXPECT_EQ(explain_text(world.sources, world.history, world.history.explain(total.current())),
            "/k: 2\n  won       L2:1:4  2\n  shadowed  L3:1:4  3\n  shadowed  L4:1:4  4\n  shadowed  L1:1:4  1\n  "
            "shadowed  L0:1:4  0\n");
}

TEST(Blame, FoldsNames) {
  merge::World world;
  merge::Accumulator total(world.arena, world.limits, world.history);
  total.start({world.yaml("a: 1\nb: 2\n", "x/y/a.yaml"), world.history.add_layer("one")});
  total.merge({world.yaml("c: {d: 3}\n", "z/y/a.yaml"), world.history.add_layer("two")}, merge::deep_replace());
  total.merge({world.yaml("e: 4\n", "a.yaml"), world.history.add_layer("three")}, merge::deep_replace());
  EXPECT_EQ(
      blame_text(world.sources, total.current().value, {}, {.short_names = true}),
      "x/y/a.yaml:1 | a: 1\n          :2 | b: 2\n             | c:\nz/y/a.yaml:1 |   d: 3\na.yaml:1     | e: 4\n");
  EXPECT_EQ(blame_text(world.sources, total.current().value, {}, {.short_names = true, .width = 17}),
            "x/y/a.yaml:1 | a…\n          :2 | b…\n             | c:\nz/y/a.yaml:1 |  …\na.yaml:1     | e…\n");
}

TEST(Secrets, AreNeverShown) {
  merge::World world;
  const merge::Strategy strategy =
      merge::rules("mapping <- mapping: recurse",
                   "mapping <- mapping: recurse\nsequence <- sequence: append\ntext <- text: join\n"
                   "sequence <- text: characters_as_items\nnumber <- *: fail");
  // Everything that a secret may get into; HIDE stands for it.
  const Value weak = world.yaml(
      "{in: {a: HIDE1, n: 1}, joined: HIDE2, items: [HIDE3], chars: [x], replaced: {deep: [HIDE4]}, gone: 1}");
  MappingBuilder mask = MappingBuilder::copy_of(world.arena, weak);
  for (std::size_t i = 0; i < mask.size(); ++i) mask.replace(i, mask.entries()[i].value.with_secret());
  // Inside of a container that is not marked itself.
  MappingBuilder inner(world.arena);
  inner.insert("deep", world.arena.text("HIDE5").with_secret());
  mask.insert("replaced", inner.finish());

  merge::Accumulator total(world.arena, world.limits, world.history);
  total.start({mask.finish(), world.history.add_layer("weak")});
  total.merge(world.layer("{in: {a: 2}, joined: tail, items: [more], replaced: 5}"), strategy);
  // The other way round: secrets come in.
  const Value late = world.yaml("{chars: WXYZ, late: {x: HIDE6}, in: {b: HIDE7}}").with_secret();
  total.merge({late, world.history.add_layer("late")}, strategy);

  const Value result = total.current().value;
  std::string shown =
      blame_text(world.sources, result, {}) + json(blame_data(world.arena, world.sources, result)) +
      explain_text(world.sources, world.history, world.history.explain(total.current())) +
      json(explain_data(world.arena, world.sources, world.history, world.history.explain(total.current())));
  for (const char* pointer : {"/in/a", "/in/b", "/late/x", "/items/0", "/chars/1", "/replaced/deep"}) {
    shown += explain_text(world.sources, world.history, world.history.explain(total.current(), parse_pointer(pointer)));
  }
  EXPECT_EQ(shown.find("HIDE"), std::string::npos) << shown;
  for (const char* character : {"\"W\"", "- W", "\"Z\""}) EXPECT_EQ(shown.find(character), std::string::npos) << shown;
  EXPECT_NE(shown.find("******"), std::string::npos);
  try {
    total.merge({world.yaml("{gone: HIDE8}").with_secret(), world.history.add_layer("bad")}, strategy);
    FAIL();
  } catch (const merge::KindMismatch& mismatch) {
    EXPECT_EQ(std::string(mismatch.what()).find("HIDE"), std::string::npos);
  }
}

}  // namespace
}  // namespace strata::report
