// SPDX-License-Identifier: Apache-2.0
// How lists met: actions, rules, layers, and why items were dropped.
#include <gtest/gtest.h>

#include "strata/list_history.hpp"
#include "strata/traced.hpp"
#include "world.hpp"

namespace strata::merge {
namespace {

class ListHistories : public ::testing::Test {
 protected:
  void start(const std::string& text) { total.start(world.layer(text)); }
  void merge(const std::string& text, const Strategy& strategy, std::span<const Call> calls = {},
             const std::string& rule = "r") {
    const Following following(world.history, [&rule] { return Rule{.text = rule, .option = {}}; });
    total.merge(world.layer(text), strategy, calls);
  }

  /// `path action/rule layers: layer item, … - layer why value, …` line by line.
  std::string told() {
    std::string out;
    each_list(world.history, total.current(), {}, [&out](const ListHistory& list) {
      out += list.path.pointer() + " " + std::string(to_string(list.action)) + "/" + list.rule.text + " " +
             std::to_string(list.layers) + ":";
      for (const Contribution& item : list.items)
        out += " " + std::to_string(item.layer) + " " + flow(item.value) + ",";
      if (out.back() == ',') out.pop_back();
      if (!list.dropped.empty()) out += " -";
      for (const Contribution& one : list.dropped) {
        out += " " + std::to_string(one.layer) + " " + std::string(to_string(one.loss)) + " " + flow(one.value) + ",";
      }
      if (out.back() == ',') out.pop_back();
      out += '\n';
    });
    return out;
  }

  World world;
  Accumulator total{world.arena, world.limits, world.history};
};

Strategy members(const std::string& member, const std::string& more = "") {
  return rules("mapping <- mapping: recurse", "mapping <- mapping: recurse\n" + member, "", more);
}

TEST_F(ListHistories, Joined) {
  start("{l: [1]}");
  EXPECT_EQ(told(), "/l single/ 1: 0 1\n");
  merge("{l: [2]}", members("sequence <- sequence: append"));
  EXPECT_EQ(told(), "/l joined/r 2: 0 1, 1 2\n");
  merge("{l: [3]}", members("sequence <- sequence: append"), {}, "s");
  EXPECT_EQ(told(), "/l joined/s 3: 0 1, 1 2, 2 3\n");
  merge("{l: [4]}", members("sequence <- sequence: prepend"));
  EXPECT_EQ(told(), "/l mixed/r 4: 3 4, 0 1, 1 2, 2 3\n");
  merge("{l: [5]}", members(""));
  EXPECT_EQ(told(), "/l replaced/r 5: 4 5 - 3 replaced 4, 0 replaced 1, 1 replaced 2, 2 replaced 3\n");
}

TEST_F(ListHistories, EmptyListsCount) {
  start("{l: [1]}");
  merge("{l: []}", members("sequence <- sequence: append"));
  merge("{l: []}", members("sequence <- sequence: append"), {}, "s");
  EXPECT_EQ(told(), "/l joined/s 3: 0 1\n");
  EXPECT_EQ(world.history.explain(total.current()).front().contributions.size(), 1U) << "explanations do not show them";
  merge("{l: [2]}", members("sequence <- sequence: append"));
  EXPECT_EQ(told(), "/l joined/r 4: 0 1, 3 2\n");
  merge("{l: []}", members("sequence <- sequence: append"), {}, "s");
  EXPECT_EQ(told(), "/l joined/s 5: 0 1, 3 2\n");
}

TEST_F(ListHistories, EmptyStrongLists) {
  start("{l: []}");
  merge("{l: []}", members("sequence <- sequence: by_index"));
  EXPECT_EQ(told(), "/l by-index/r 2: - 1 equal []\n");
  merge("{l: [1]}", members("sequence <- sequence: union"));
  EXPECT_EQ(told(), "/l mixed/r 3: 2 1 - 1 equal []\n");
}

TEST_F(ListHistories, UnionsAndLosses) {
  start("{l: [a, b]}");
  merge("{l: [b, c]}", members("sequence <- sequence: union"));
  EXPECT_EQ(told(), "/l union/r 2: 0 \"a\", 0 \"b\", 1 \"c\" - 1 equal \"b\"\n");
}

TEST_F(ListHistories, KnockedOut) {
  start("{l: [a, b]}");
  merge("{l: ['--a', c]}", members("sequence <- sequence: merge_lists", "knockout: \"--\"\n"));
  EXPECT_EQ(told(), "/l union/r 2: 0 \"b\", 1 \"c\" - 0 knocked-out \"a\", 1 knocked-out \"--a\"\n");
}

TEST_F(ListHistories, ByIndex) {
  start("{l: [a, b]}");
  merge("{l: [A, B, C]}", members("sequence <- sequence: by_index"));
  EXPECT_EQ(told(), "/l by-index/r 2: 1 \"A\", 1 \"B\" - 0 replaced \"a\", 0 replaced \"b\", 1 removed \"C\"\n");
}

TEST_F(ListHistories, ContainersAbove) {
  start("{m: {l: [1]}, n: [[1], [2]]}");
  merge("{m: {l: [2]}, n: [[3]]}", shallow_replace());
  EXPECT_EQ(told(),
            "/m/l replaced/r 2: 1 2 - 0 replaced 1\n"
            "/n replaced/r 2: 1 3 - 0 replaced 1, 0 replaced 2\n"
            "/n/0 replaced/r 2: 1 3 - 0 replaced 1\n");
}

TEST_F(ListHistories, Functions) {
  const std::vector<Call> calls{[](const Builder& make, const Traced& old, const Traced& incoming, const Recurse&) {
    SequenceBuilder items(make.arena());
    items.append(old.value.items()[0]);
    items.append(incoming.value.items()[0]);
    return Traced{items.finish(), {}};
  }};
  start("{l: [a, b]}");
  merge("{l: [c, d]}", members("sequence <- sequence: call f", "call: f\n"), calls);
  EXPECT_EQ(told().substr(0, 20), "/l by-function/r 2: ");
}

TEST_F(ListHistories, RulesOfWhatNothingMet) {
  start("{l: [1], m: {k: [2]}}");
  const Following following(world.history, [] { return Rule{.text = "said", .option = {}}; });
  const auto before = world.history.explain(total.current());
  total.start(world.history.ruled(total.current()));
  EXPECT_EQ(told(), "/l single/said 1: 0 1\n/m/k single/said 1: 0 2\n");
  EXPECT_EQ(world.history.explain(total.current()).size(), before.size());
  total.merge(world.layer("{l: [3]}"), members("sequence <- sequence: append"));
  EXPECT_EQ(told(), "/l joined/said 2: 0 1, 1 3\n/m/k single/said 1: 0 2\n");
}

TEST_F(ListHistories, WhatLostAsAWholeIsNotToldInActions) {
  start("{l: [1]}");
  merge("{l: [2]}", members("sequence <- sequence: append"));
  merge("{l: x}", members(""));
  EXPECT_EQ(told(), "");
  merge("{l: [3]}", members(""));
  EXPECT_EQ(told(), "/l replaced/r 4: 3 3 - 0 replaced 1, 1 replaced 2, 0 replaced [1, 2], 2 replaced \"x\"\n");
}

}  // namespace
}  // namespace strata::merge
