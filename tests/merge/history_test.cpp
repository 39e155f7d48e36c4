// SPDX-License-Identifier: Apache-2.0
// What becomes of every layer's contribution.
#include <gtest/gtest.h>

#include <array>

#include "merge/nodes.hpp"
#include "strata/builder.hpp"
#include "strata/scalar_text.hpp"
#include "strata/traced.hpp"
#include "world.hpp"

namespace strata::merge {
namespace {

class Histories : public ::testing::Test {
 protected:
  void start(const std::string& text) { total.start(world.layer(text)); }
  void merge(const std::string& text, const Strategy& strategy, std::span<const Call> calls = {}) {
    total.merge(world.layer(text), strategy, calls);
  }

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
      rules("mapping <- mapping: recurse",
            "mapping <- mapping: recurse\nsequence <- sequence: append\ntext <- text: join\n* <- null: remove");
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
  EXPECT_EQ(
      told(),
      "/0 \"A\": 0 shadowed \"a\", 1 won \"A\"\n/1 \"B\": 0 shadowed \"b\", 1 won \"B\"\n/2 -: 1 removed \"C\"\n");
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
  merge("{l: [{n: 2}]}",
        rules("mapping <- mapping: recurse", "sequence <- sequence: by_index", "mapping <- mapping: recurse"));
  merge("{l: [a]}", rules("mapping <- mapping: recurse", "sequence <- sequence: prepend"));
  merge("{l: [z]}", appending());
  EXPECT_EQ(told(), "/l/0 \"a\": 2 won \"a\"\n/l/1/n 2: 0 shadowed 1, 1 won 2\n/l/2 \"z\": 3 won \"z\"\n");
}

TEST_F(Histories, UnionsKeepTheFirst) {
  start("[a, b, a]");
  merge("[b, c]", rules("sequence <- sequence: union"));
  EXPECT_EQ(
      told(),
      "/0 \"a\": 0 won \"a\", 0 shadowed \"a\"\n/1 \"b\": 0 won \"b\", 1 shadowed \"b\"\n/2 \"c\": 1 won \"c\"\n");
}

TEST_F(Histories, SelfMergesHaveOneSource) {
  const Strategy deep = rules("mapping <- mapping: recurse\nsequence <- sequence: union",
                              "absent <- *: self_merge\n* <- absent: keep_old\nsequence <- sequence: union");
  start("{m: 1}");
  merge("{n: [a, a, b], o: {p: 1}}", deep);
  EXPECT_EQ(told(),
            "/m 1: 0 won 1\n/n/0 \"a\": 1 won \"a\", 1 shadowed \"a\"\n/n/1 \"b\": 1 won \"b\"\n/o/p 1: 1 won 1\n");
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
            "/k 2: 0 shadowed 1, 1 won 2, 2 shadowed 0\n/l/0 \"z\": 2 won \"z\"\n/l/1 \"a\": 0 won \"a\"\n/l/2 \"b\": "
            "1 won \"b\"\n/l/3 \"y\": 3 won "
            "\"y\"\n");
}

TEST_F(Histories, WhatFunctionsMake) {
  const Strategy strategy = rules("mapping <- mapping: recurse", "mapping <- mapping: call both");
  const std::vector<Call> calls{[](const Builder& make, const Traced& old, const Traced& incoming, const Recurse&) {
    MappingBuilder made(make.arena());
    for (const Entry& entry : incoming.value.entries()) made.insert(entry.key, entry.value);
    if (const Value* x = old.value.find("x")) made.insert("x", *x);
    made.insert("size", Value::integer(static_cast<std::int64_t>(old.value.size())));
    return Traced{made.finish(), {}};
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

/// Both sides under names of their own.
const Strategy& wrapping() {
  static const Strategy strategy =
      rules("* <- null: keep_old\nmapping <- sequence: call wrap\nmapping <- mapping: recurse");
  return strategy;
}

TEST_F(Histories, WhatFunctionsMakeOfWhatFunctionsMade) {
  const std::vector<Call> calls{[](const Builder& make, const Traced& old, const Traced& incoming, const Recurse&) {
    MappingBuilder made(make.arena());
    made.insert("old", old.value);
    made.insert("a", incoming.value);
    return Traced{made.finish(), {}};
  }};
  start("{'': ~}");
  merge("[{}]", wrapping(), calls);
  merge("~", wrapping(), calls);
  merge("[{}]", wrapping(), calls);
  merge("{begins: []}", wrapping(), calls);
  const std::string all = told();
  // The function does not tell what it made its result of: the kernel knows the sides.
  EXPECT_NE(all.find("/old/old/ null: 1 merged"), std::string::npos) << all;
  EXPECT_EQ(all.find("null:\n"), std::string::npos) << all;
}

TEST_F(Histories, WhatTheResultOfAFunctionLacksIsRemoved) {
  const Strategy strategy =
      rules("sequence <- mapping: call wrap\nmapping <- number: call wrap\nmapping <- mapping: recurse");
  const std::vector<Call> calls{[](const Builder& make, const Traced& old, const Traced& incoming, const Recurse&) {
    MappingBuilder made(make.arena());
    made.insert("old", old.value);
    made.insert("a", incoming.value);
    return Traced{made.finish(), {}};
  }};
  // A list became a mapping.
  start("[~]");
  merge("{}", strategy, calls);
  EXPECT_EQ(told(), "/old/0 null: 1 merged null\n/a {}: 1 merged {}\n/0 -: 0 removed null\n");
  // A number stands where one side has a mapping.
  start("{a: {x: 1}}");
  merge("5", strategy, calls);
  EXPECT_EQ(told({"a", "x"}), "/a/x -: 2 removed 1\n");
  // With a member more, what was made before is known as before.
  merge("{b: 2}", strategy, calls);
  EXPECT_EQ(told({"a", "x"}), "/a/x -: 2 removed 1\n");
}

TEST_F(Histories, WhatFunctionsTell) {
  const std::vector<Call> calls{[](const Builder& make, const Traced& old, const Traced& incoming, const Recurse&) {
    TracedMapping made(make);
    made.insert("old", old);
    made.insert("a", incoming);
    return made.finish();
  }};
  start("{'': ~}");
  merge("[x]", wrapping(), calls);
  merge("~", wrapping(), calls);
  EXPECT_EQ(told(),
            "/old/ null: 0 won null\n/a/0 \"x\": 1 won \"x\"\n/0 -: 1 removed \"x\"\n/ -: 0 removed null\n -: 2 "
            "shadowed null\n");
  merge("[{}]", wrapping(), calls);
  merge("{begins: []}", wrapping(), calls);
  EXPECT_EQ(told({"old"}),
            "/old/old/ null: 0 won null\n/old/a/0 \"x\": 1 won \"x\"\n/old/0 -: 1 removed \"x\"\n/old/ -: 0 removed "
            "null\n/old -: 2 shadowed null\n");
  EXPECT_EQ(told({"begins"}), "/begins []: 4 won []\n");
}

TEST_F(Histories, WhatFunctionsMergeTakeAndDerive) {
  const Strategy strategy =
      rules("mapping <- mapping: recurse",
            "mapping <- mapping: call both\nnumber <- number: call sum\ntext <- text: call first");
  const std::vector<Call> calls{[](const Builder&, const Traced& old, const Traced& incoming, const Recurse& recurse) {
                                  return recurse(old, incoming);
                                },
                                [](const Builder& make, const Traced& old, const Traced& incoming, const Recurse&) {
                                  return make.derive(
                                      Value::integer(old.value.as_integer() + incoming.value.as_integer()),
                                      std::array{old, incoming});
                                },
                                [](const Builder&, const Traced& old, const Traced&, const Recurse&) { return old; }};
  start("{m: {x: 1, t: a, k: ~}}");
  merge("{m: {x: 2, t: b, y: 5}}", strategy, calls);
  merge("{m: {x: 4, k: 7}}", strategy, calls);
  EXPECT_EQ(told(),
            "/m/x 7: 0 merged 1, 1 merged 2, 2 merged 4\n/m/t \"a\": 0 won \"a\", 1 shadowed \"b\"\n/m/k 7: 0 shadowed "
            "null, 2 won 7\n"
            "/m/y 5: 1 won 5\n");
}

TEST_F(Histories, FunctionsInLongChains) {
  const Strategy strategy =
      rules("mapping <- mapping: recurse", "mapping <- mapping: call both\nnumber <- number: call sum");
  const std::vector<Call> calls{
      [](const Builder& make, const Traced& old, const Traced& incoming, const Recurse&) {
        return make.transform(old, [&](const Traced& member) {
          return make.derive(member.value, std::array{member, Builder::member(incoming, "x")});
        });
      },
      [](const Builder& make, const Traced& old, const Traced& incoming, const Recurse&) {
        return make.derive(incoming.value, std::array{old, incoming});
      }};
  constexpr std::size_t kLayers = 300;
  start("{n: 1, m: {x: 1, y: 1}}");
  for (std::size_t i = 1; i < kLayers; ++i) merge("{n: 2, m: {x: 2, z: 3}}", strategy, calls);
  const auto paths = world.history.explain(total.current());
  ASSERT_EQ(paths.size(), 4U);
  EXPECT_EQ(paths[0].contributions.size(), kLayers);
  EXPECT_EQ(paths[1].contributions.size(), kLayers);
  EXPECT_EQ(paths[2].contributions.size(), kLayers);
  EXPECT_EQ(paths[3].path.pointer(), "/m/z");
  EXPECT_FALSE(paths[3].value);
  EXPECT_EQ(paths[3].contributions.size(), kLayers - 1);
}

TEST_F(Histories, ContainersThatLostOrWonAreNoLeaves) {
  const Strategy keep = rules("mapping <- mapping: recurse", "* <- *: keep_old\nabsent <- *: take_new");
  start("{z: {a: 1}}");
  merge("{z: 5}", keep);
  EXPECT_EQ(told(), "/z/a 1: 0 won 1\n/z -: 1 shadowed 5\n");
  start("{z: 5}");
  merge("{z: {a: 1}}", keep);
  EXPECT_EQ(told(), "/z 5: 2 won 5, 3 shadowed {\"a\": 1}\n/z/a -: 3 shadowed 1\n");
  start("{z: 5}");
  merge("{z: {a: 1}}", deep_replace());
  EXPECT_EQ(told(), "/z/a 1: 5 won 1\n/z -: 4 shadowed 5\n");
}

TEST_F(Histories, KeyRules) {
  const Strategy override =
      rules("mapping <- mapping: recurse", "mapping <- mapping: recurse\nsequence <- sequence: append", "",
            "key prefix \"~\": take_new");
  start("{l: [1], m: {x: 1}}");
  merge("{~l: [2], m: {y: 2}, ~n: 3}", override);
  merge("{l: [4], ~m: {z: 1}}", override);
  EXPECT_EQ(flow(total.current().value), "{\"l\": [2, 4], \"m\": {\"z\": 1}, \"n\": 3}");
  EXPECT_EQ(told(),
            "/l/0 2: 0 shadowed 1, 1 won 2\n/l/1 4: 2 won 4\n/m/z 1: 2 won 1\n/m/x -: 0 shadowed 1\n/m/y -: 1 shadowed "
            "2\n/n 3: 1 won 3\n");
}

TEST_F(Histories, AMemberThatOneMappingRemovesAndGives) {
  const Strategy removing = rules("mapping <- mapping: recurse", "", "", "key prefix \"-\": remove");
  start("{a: 1, b: 2}");
  merge("{-a: x, a: 5, -b: x}", removing);
  EXPECT_EQ(flow(total.current().value), "{\"a\": 5}");
  merge("{a: 6, -a: x, -a: x}", removing);
  EXPECT_EQ(flow(total.current().value), "{}");
}

TEST_F(Histories, TransformedContainers) {
  const Builder make(world.arena, world.history);
  start("{a: 1, l: [x, y, z], m: {k: 1}}");
  merge("{a: 2}", deep_replace());
  const Traced before = total.current();
  const auto same = [](const Traced& member) { return member; };
  EXPECT_TRUE(make.transform(before, same).value.entries().data() == before.value.entries().data());
  total.start(make.transform(before, [&](const Traced& member) {
    if (member.value.is_mapping()) return make.derive(world.arena.text("was a mapping"), member);
    if (!member.value.is_sequence()) return member;
    return make.transform(member, [](const Traced& item) {
      return item.value.text() == "y" ? Traced{{}, item.slot} : item;
    });
  }));
  EXPECT_EQ(flow(total.current().value), "{\"a\": 2, \"l\": [\"x\", \"z\"], \"m\": \"was a mapping\"}");
  EXPECT_EQ(flow(before.value), "{\"a\": 2, \"l\": [\"x\", \"y\", \"z\"], \"m\": {\"k\": 1}}");
  EXPECT_EQ(told({"a"}), "/a 2: 0 shadowed 1, 1 won 2\n");
  EXPECT_EQ(told({"l"}), "/l/0 \"x\": 0 won \"x\"\n/l/1 \"z\": 0 won \"z\"\n");
  EXPECT_EQ(told({"m"}), "/m \"was a mapping\": 0 merged {\"k\": 1}\n/m/k -: 0 merged 1\n");
}

TEST_F(Histories, WhatIsInAContainerMakesWhatItBecomes) {
  const Builder make(world.arena, world.history);
  const auto become = [&](const Value& value) { total.start(make.derive(value, total.current())); };
  const auto pair = [this] {
    SequenceBuilder list(world.arena);
    list.append(world.arena.text("a"));
    return list.finish();
  };
  start("{a: {x: 1, y: 2}, l: [p]}");
  merge("{a: {x: 3}}", deep_replace());
  become(world.arena.text("all"));
  EXPECT_EQ(told({"a"}), "/a/x -: 0 shadowed 1, 1 merged 3\n/a/y -: 0 merged 2\n");
  EXPECT_EQ(told({"l"}), "/l/0 -: 0 merged \"p\"\n");
  // A list of what a mapping has.
  start("{a: {x: 1}}");
  become(pair());
  EXPECT_EQ(told({"a"}), "/a/x -: 2 merged 1\n");
  // A mapping that lacks a member is not made of it.
  start("{a: 1, b: 2}");
  MappingBuilder less(world.arena);
  less.insert(world.arena.text("a"), Value::integer(1));
  become(less.finish());
  EXPECT_EQ(told({"b"}), "/b -: 3 removed 2\n");
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

/// How many meetings lead to where a value came from.
std::size_t meetings(Slot slot) {
  std::size_t count = 0;
  for (const detail::Node* node = slot.node(); node != nullptr && !node->is_container; ++count)
    node = meeting_of(*node).incoming.slot.node();
  return count;
}

// A chain of n places would have a history of n meetings at each of them.
TEST_F(Histories, PlaceholdersOnTheWayAreNotKept) {
  const std::vector<Path::Step> place{world.arena.key("k")};
  Traced value = world.layer("[1, 2]");
  for (int i = 0; i < 100; ++i) {
    total.start(world.layer("{}"));
    total.put(place, {world.arena.mapping(), Slot(kNoLayer)});
    total.put(place, value);
    value = *total.at(place);
  }
  EXPECT_EQ(told(), "/k/0 1: 0 won 1\n/k/1 2: 0 won 2\n");
  EXPECT_EQ(meetings(value.slot), 1U);
  // What a layer gave stays.
  total.start(world.layer("{k: 1}"));
  total.put(place, value);
  EXPECT_EQ(told(), "/k/0 1: 0 won 1\n/k/1 2: 0 won 2\n/k -: 101 shadowed 1\n");
}

TEST_F(Histories, TextsOfTextsComeFromTheFirst) {
  Traced value = world.layer("a");
  for (int i = 0; i < 100; ++i) value = world.history.derive(world.arena.text("b" + std::to_string(i)), {{value}});
  EXPECT_EQ(meetings(value.slot), 1U);
  total.start(value);
  EXPECT_EQ(told(), " \"b99\": 0 merged \"a\"\n");
}

// Each leaf of a joined list looks at the lists in it that have lost something, and at no others.
TEST_F(Histories, ListsThatLostNothingAreNotLookedAt) {
  const Strategy joining = rules("sequence <- sequence: append");
  const auto list_of = [this](int i) {
    const Traced item = world.layer(std::to_string(i));
    return world.history.compose(world.arena.sequence(std::span(&item.value, 1)), {{item}});
  };
  const auto looked_at = [this] {
    std::size_t count = 0;
    const auto& node = container_of(*total.current().slot.node());
    for (const auto* merge = telling_merges_of(node); merge != nullptr; merge = next_telling(*merge)) ++count;
    return count;
  };
  total.start(list_of(0));
  for (int i = 1; i < 100; ++i) total.merge(list_of(i), joining);
  EXPECT_EQ(looked_at(), 0U);
  total.merge(world.history.ruled(list_of(100)), joining);
  EXPECT_EQ(looked_at(), 0U) << "to follow a rule loses nothing";
  total.merge(world.history.choose(list_of(101), world.layer("x")), joining);
  for (int i = 103; i < 200; ++i) total.merge(list_of(i), joining);
  EXPECT_EQ(looked_at(), 1U);
  EXPECT_NE(told().find(" shadowed \"x\""), std::string::npos);
}

TEST_F(Histories, OneAfterTheOther) {
  start("{k: 1, l: {m: 2, n: 3}}");
  merge("{k: 2, l: 5}", deep_replace());
  std::vector<std::string> paths;
  world.history.each_path(total.current(), {}, nullptr, [&](const PathHistory& path) {
    paths.push_back(path.path.pointer());
    EXPECT_EQ(path.contributions.size(), path.path.pointer() == "/k" || path.path.pointer() == "/l" ? 2U : 1U);
  });
  EXPECT_EQ(paths, (std::vector<std::string>{"/k", "/l", "/l/m", "/l/n"}));
}

TEST_F(Histories, EndWithTheirRequest) {
  std::string all;
  for (int i = 0; i < 3000; ++i) all += "- " + std::to_string(i) + "\n";
  start(all);
  Stop stop;
  stop.cancel();
  std::size_t told = 0;
  const auto explain = [&] {
    world.history.each_path(total.current(), {}, &stop, [&told](const PathHistory&) { ++told; });
  };
  EXPECT_THROW(explain(), Error);
  EXPECT_LT(told, 3000U);
}

}  // namespace
}  // namespace strata::merge
