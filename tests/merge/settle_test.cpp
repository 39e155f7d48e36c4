// SPDX-License-Identifier: Apache-2.0
// Values that wait, and what becomes of them.
#include "strata/settle.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>

#include "strata/builder.hpp"
#include "strata/traced.hpp"
#include "support/expect_error.hpp"
#include "world.hpp"

namespace strata::merge {
namespace {

/// A value that is not known yet.
class Later final : public Object {
 public:
  explicit Later(const Value& value) : value_(value) {}
  [[nodiscard]] const Value& value() const noexcept { return value_; }
  [[nodiscard]] std::string to_string() const override { return "later"; }
  [[nodiscard]] bool equals(const Object& other) const override { return this == &other; }
  [[nodiscard]] std::size_t hash() const override { return 0; }

 private:
  Value value_;
};

const Later* later_of(const Value& value) {
  return value.kind() == Kind::object ? dynamic_cast<const Later*>(&value.as_object()) : nullptr;
}

Traced known(const Traced& side) {
  const Later* later = later_of(side.value);
  return later == nullptr ? side : Traced{later->value().with_secret(side.value.is_secret()), side.slot};
}

/// All that is still unknown, at any depth.
Traced all_known(const Builder& make, const Traced& value) {
  return make.transform(known(value), [&make](const Traced& member) { return all_known(make, member); });
}

bool waits_anywhere(const Value& value) {
  if (is_waiting(value)) return true;
  if (value.is_sequence()) return std::ranges::any_of(value.items(), waits_anywhere);
  return value.is_container() &&
         std::ranges::any_of(value.entries(), [](const Entry& entry) { return waits_anywhere(entry.value); });
}

constexpr std::array kTables{&Strategy::root, &Strategy::member, &Strategy::item};

/// The strategy, with `wait` wherever an object meets anything.
Strategy waiting(Strategy strategy) {
  const auto scalar = static_cast<std::size_t>(Shape::scalar);
  for (const auto table : kTables) {
    for (std::size_t i = 1; i < kShapes; ++i)
      (strategy.*table)[scalar][i] = (strategy.*table)[i][scalar] = Action::wait;
  }
  return strategy;
}

std::string shown(const Value& value) {
  Sources sources;
  NullRecorder nothing(sources);
  Arena arena;
  return flow(all_known(Builder(arena, nothing), {value, {}}).value);
}

std::string history_lines(const History& history, const Traced& result, const std::vector<std::string>& prefix = {}) {
  std::string out;
  for (const PathHistory& path : history.explain(result, prefix)) {
    out += path.path.pointer() + " " + (path.value ? flow(path.value) : "-") + ":";
    for (const Contribution& one : path.contributions) {
      out += " " + std::to_string(one.layer) + " " + std::string(to_string(one.fate)) + " " + shown(one.value) + ",";
    }
    out.back() = '\n';
  }
  return out;
}

class Waiting : public ::testing::Test {
 protected:
  /// A layer whose texts `$name` wait for `names[name]`.
  Traced layer(const std::string& text) {
    const Traced plain = world.layer(text);
    return {marked(plain.value), plain.slot};
  }
  Value marked(const Value& value) {
    if (value.is_text() && value.text().starts_with("$")) {
      return world.arena.object(std::make_shared<Later>(value)).with_origin(value.origin());
    }
    return value.is_container()
               ? with_members(world.arena, value, [this](const Value& member) { return marked(member); })
               : value;
  }
  void fold(const std::vector<std::string>& layers, const Strategy& strategy) {
    total.start(layer(layers.front()));
    for (std::size_t i = 1; i < layers.size(); ++i) total.merge(layer(layers[i]), strategy);
  }
  Traced settled(const Strategy& strategy, Reach reach = Reach::everywhere) {
    const Resolve resolve = [this](const Traced& side, bool /*is_last*/) {
      resolved += 1;
      const Traced text = known(side);
      if (later_of(side.value) == nullptr) return side;
      const Traced& target = names.at(std::string(text.value.text().substr(1)));
      return world.history.derive(target.value, std::array{text, target});
    };
    return settle(total.current(), reach, resolve, strategy, world.arena, world.limits, world.history);
  }

  World world;
  Accumulator total{world.arena, world.limits, world.history};
  std::map<std::string, Traced> names;
  int resolved = 0;
};

TEST_F(Waiting, BothSidesStay) {
  const Strategy strategy = waiting(deep_replace());
  names["ref"] = world.layer("{a: 1, k: 0}");
  fold({"{x: $ref, y: 1}", "{x: {k: v}}"}, strategy);
  ASSERT_TRUE(is_waiting(*total.current().value.find("x")));
  EXPECT_FALSE(is_waiting(total.current().value));
  EXPECT_EQ(history_lines(world.history, total.current(), {"y"}), "/y 1: 1 won 1\n");
  const Traced result = settled(strategy);
  EXPECT_EQ(flow(result.value), "{\"x\": {\"a\": 1, \"k\": \"v\"}, \"y\": 1}");
  EXPECT_EQ(history_lines(world.history, result, {"x", "k"}), "/x/k \"v\": 0 shadowed 0, 2 won \"v\"\n");
  EXPECT_EQ(history_lines(world.history, result, {"x", "a"}), "/x/a 1: 0 merged 1\n");
  EXPECT_EQ(resolved, 2);
}

TEST_F(Waiting, ManySidesAreFoldedInOrder) {
  const Strategy strategy =
      waiting(rules("mapping <- mapping: recurse", "sequence <- sequence: append\nmapping <- mapping: recurse"));
  names["one"] = world.layer("[1]");
  names["two"] = world.layer("[2]");
  fold({"{l: [0]}", "{l: $one}", "{l: $two}", "{l: [3]}"}, strategy);
  EXPECT_EQ(flow(settled(strategy).value), "{\"l\": [0, 1, 2, 3]}");
  // What is taken whole waits no more.
  fold({"{l: [0]}", "{l: $one}"}, strategy);
  total.merge(layer("{l: 5}"), deep_replace());
  EXPECT_EQ(flow(total.current().value), "{\"l\": 5}");
  const std::string history = history_lines(world.history, total.current(), {"l"});
  EXPECT_EQ(history, "/l 5: 6 shadowed [0], 7 shadowed \"$one\", 8 won 5\n/l/0 -: 6 shadowed 0\n");
}

TEST_F(Waiting, SidesWaitInsideOfSides) {
  const Strategy strategy = waiting(deep_replace());
  names["outer"] = {marked(world.yaml("{in: $inner, z: 1}")), world.history.add_layer("outer")};
  names["inner"] = world.layer("{p: 1}");
  fold({"{x: $outer}", "{x: {in: {q: 2}}}"}, strategy);
  const Traced here = settled(strategy, Reach::here);
  EXPECT_TRUE(is_waiting(*here.value.find("x")));  // The place itself is the root, where nothing waits.
  EXPECT_EQ(flow(settled(strategy).value), "{\"x\": {\"in\": {\"p\": 1, \"q\": 2}, \"z\": 1}}");
  total.start(*total.at(std::vector<Path::Step>{world.arena.key("x")}));
  const Traced one = settled(strategy, Reach::here);
  EXPECT_FALSE(is_waiting(one.value));
  EXPECT_TRUE(is_waiting(*one.value.find("in")));
}

TEST_F(Waiting, SidesMayRemoveAndFail) {
  const Strategy removing = waiting(rules("mapping <- mapping: recurse", "* <- null: remove"));
  names["none"] = world.layer("~");
  names["one"] = world.layer("1");
  fold({"{x: 1, y: 2}", "{x: $none}"}, removing);
  const Traced gone = settled(removing);
  EXPECT_EQ(flow(gone.value), "{\"y\": 2}");
  EXPECT_EQ(history_lines(world.history, gone, {"x"}).substr(0, 20), "/x -: 0 removed null");
  fold({"{x: 1, y: 2}", "{x: $none}", "{x: $one}"}, removing);
  EXPECT_EQ(flow(settled(removing).value), "{\"x\": 1, \"y\": 2}");
  const Strategy strict = waiting(rules("mapping <- mapping: recurse", "mapping <- numeric: fail"));
  fold({"{x: {a: 1}}", "{x: $one}"}, strict);
  STRATA_EXPECT_ERROR((void)settled(strict), "merge.kind-mismatch");
}

TEST_F(Waiting, WhatIsDeepAndLongHasItsLimits) {
  const Strategy strategy = waiting(deep_replace());
  names["one"] = world.layer("{a: {b: {c: {d: 1}}}}");
  fold({"{x: {y: $one}}", "{x: {y: {a: {b: {c: {d: 2}}}}}}"}, strategy);
  world.limits.depth = 5;
  STRATA_EXPECT_ERROR((void)settled(strategy), "limit.depth");
  world.limits.depth = 100;
  const Traced again = layer("{x: {y: $one}}");
  for (int i = 0; i < 100'000; ++i) total.merge(again, strategy);
  EXPECT_EQ(flow(settled(strategy).value), "{\"x\": {\"y\": {\"a\": {\"b\": {\"c\": {\"d\": 1}}}}}}");
}

TEST_F(Waiting, WithoutAWaitingSideNothingIsCopied) {
  const Traced plain = layer("{a: [1, {b: 2}], c: $x}");
  total.start(plain);
  const Traced result = settled(deep_replace());
  EXPECT_EQ(result.value.entries().data(), plain.value.entries().data());
  EXPECT_EQ(result.slot, plain.slot);
  EXPECT_EQ(resolved, 0);
}

/// The histories of the leaves of the result. The history has values that lost while they waited in their waiting form,
/// so only those that count are shown.
std::string leaf_history_lines(const History& history, const Traced& result) {
  std::string out;
  for (const PathHistory& path : history.explain(result)) {
    if (!path.value) continue;
    out += path.path.pointer() + " " + flow(path.value) + ":";
    for (const Contribution& one : path.contributions) {
      const bool is_counted = one.fate == Fate::won || one.fate == Fate::merged;
      out += " " + std::to_string(one.layer) + " " + std::string(to_string(one.fate)) +
             (is_counted ? " " + shown(one.value) : "");
    }
    out += "\n";
  }
  return out;
}

/// Decides for random pairs of shapes, in ways that do not depend on when. Everything is taken where there was nothing.
Strategy random_timeless(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  constexpr std::array kActions{Action::keep_old,        Action::take_new,      Action::append,
                                Action::prepend,         Action::by_index,      Action::join,
                                Action::by_index_extend, Action::keys_as_items, Action::characters_as_items};
  Strategy strategy;
  for (const auto table : kTables) {
    fill(strategy.*table, Action::take_new);
    for (std::size_t old = 1; old < kShapes; ++old) {
      (strategy.*table)[old][0] = Action::keep_old;
      for (std::size_t incoming = 1; incoming < kShapes; ++incoming) {
        const auto left = static_cast<Shape>(old);
        const auto right = static_cast<Shape>(incoming);
        if (left == Shape::scalar || right == Shape::scalar) continue;
        Action action = kActions.at(random() % kActions.size());
        while (!can_apply(action, left, right)) action = kActions.at(random() % kActions.size());
        if (random() % 4 != 0 && can_apply(Action::recurse, left, right)) action = Action::recurse;
        (strategy.*table)[old][incoming] = action;
      }
    }
  }
  return strategy;
}

/// Settling later gives what merging at once would give: the same values, and the same histories.
RC_GTEST_PROP(Settling, IsMergingAtOnce, (std::uint64_t seed)) {
  World world;
  History later_history(world.sources);
  std::mt19937_64 random(seed);
  const Strategy at_once = random_timeless(seed);
  const Strategy strategy = waiting(at_once);
  // Containers that wait are known in histories only from when they met on: for these, only values are compared.
  const bool only_leaves = random() % 2 == 0;
  const std::function<Value(const Value&)> marked = [&](const Value& value) {
    const Value inner = value.is_container() ? with_members(world.arena, value, marked) : value;
    if (random() % 3 != 0 || (only_leaves && !value.is_leaf())) return inner;
    return world.arena.object(std::make_shared<Later>(inner)).with_origin(value.origin());
  };
  // What is known is known altogether.
  const Resolve resolve = [&](const Traced& side, bool /*is_last*/) { return known(side); };
  const testing::SampleOptions options{.depth = 3, .width = 4, .text_keys_only = true, .finite = true};
  const auto samples = *rc::gen::container<std::vector<testing::Sample>>(6, testing::any_value(options));
  std::vector<Traced> now;
  std::vector<Traced> later;
  for (const testing::Sample& sample : samples) {
    now.push_back({sample.value, world.history.add_layer("L")});
    later.push_back({marked(sample.value), later_history.add_layer("L")});
  }
  const std::size_t first = random() % 4;
  const std::size_t last = first + random() % 3;
  // Layers from `first` to `last` are folded by themselves.
  const auto folded = [&](const std::vector<Traced>& layers, const Strategy& rules_of, Recorder& recorder) {
    const auto fold = [&](std::vector<Traced> parts) {
      Accumulator total(world.arena, world.limits, recorder);
      total.start(parts.front());
      for (std::size_t i = 1; i < parts.size(); ++i) total.merge(parts[i], rules_of);
      return total.current();
    };
    std::vector<Traced> outer(layers.begin(), layers.begin() + static_cast<std::ptrdiff_t>(first));
    outer.push_back(fold(
        {layers.begin() + static_cast<std::ptrdiff_t>(first), layers.begin() + static_cast<std::ptrdiff_t>(last) + 1}));
    outer.insert(outer.end(), layers.begin() + static_cast<std::ptrdiff_t>(last) + 1, layers.end());
    return fold(outer);
  };
  const Traced expected = folded(now, at_once, world.history);
  const auto settle_all = [&](Recorder& recorder) {
    const Traced waiting_result = folded(later, strategy, recorder);
    const Traced result =
        settle(waiting_result, Reach::everywhere, resolve, strategy, world.arena, world.limits, recorder);
    RC_ASSERT(!waits_anywhere(result.value));
    return all_known(Builder(world.arena, recorder), result);
  };
  RC_ASSERT(flow(settle_all(world.nothing).value) == flow(expected.value));
  const Traced result = settle_all(later_history);
  RC_ASSERT(flow(result.value) == flow(expected.value));
  if (only_leaves) RC_ASSERT(leaf_history_lines(later_history, result) == leaf_history_lines(world.history, expected));
}

}  // namespace
}  // namespace strata::merge
