// SPDX-License-Identifier: Apache-2.0
// Laws of merging, over random values and random strategies.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "random_strategy.hpp"
#include "strata/builder.hpp"
#include "strata/report.hpp"
#include "strata/traced.hpp"
#include "world.hpp"

namespace strata::merge {
namespace {

using testing::Sample;

/// Small values, so that keys meet.
rc::Gen<Sample> small(bool mapping = false) {
  const testing::SampleOptions options{.depth = 3, .width = 4, .text_keys_only = true, .finite = true};
  return mapping ? testing::any_mapping(options) : testing::any_value(options);
}

bool same(const Value& left, const Value& right) { return identical(left, right); }

RC_GTEST_PROP(Merging, WithNothingChangesNothing, ()) {
  World world;
  const Sample sample = *small(true);
  RC_ASSERT(same(world.merged(sample.value, world.arena.mapping(), deep_replace()), sample.value));
  RC_ASSERT(same(world.merged(world.arena.mapping(), sample.value, deep_replace()), sample.value));
}

RC_GTEST_PROP(Merging, OneLayerIsTheLayer, ()) {
  World world;
  const Sample sample = *small();
  Accumulator total(world.arena, world.limits, world.nothing);
  total.merge({sample.value, {}}, deep_replace());
  RC_ASSERT(same(total.current().value, sample.value));
}

RC_GTEST_PROP(Merging, DeepReplaceIsIdempotent, ()) {
  World world;
  const Sample a = *small(true);
  const Sample b = *small(true);
  const auto merged = [&world](const Value& old, const Value& incoming) {
    return world.merged(old, incoming, deep_replace());
  };
  RC_ASSERT(same(merged(a.value, a.value), a.value));
  const Value ab = merged(a.value, b.value);
  RC_ASSERT(same(merged(ab, b.value), ab));
}

TEST(Merging, IsNotAssociativeEverywhere) {
  World world;
  const auto groupings = [&world](const char* a, const char* b, const char* c, const Strategy& strategy) {
    const Value left = world.merged(world.merged(world.yaml(a), world.yaml(b), strategy), world.yaml(c), strategy);
    const Value right = world.merged(world.yaml(a), world.merged(world.yaml(b), world.yaml(c), strategy), strategy);
    return std::pair(flow(left), flow(right));
  };
  // Replacing forgets, unless what replaced is itself replaced first.
  EXPECT_EQ(groupings("{k: {x: 1}}", "{k: 5}", "{k: {y: 1}}", deep_replace()),
            std::pair(std::string("{\"k\": {\"y\": 1}}"), std::string("{\"k\": {\"x\": 1, \"y\": 1}}")));
  const auto append = groupings("[1]", "[2]", "[1]", rules("sequence <- sequence: append"));
  EXPECT_EQ(append.first, append.second);
}

RC_GTEST_PROP(Merging, DeepReplaceIsAssociativeWithoutScalarsOverMappings, ()) {
  // All three have mappings at the same places: then grouping does not matter.
  World world;
  Value values[3];
  for (Value& value : values) {
    MappingBuilder members(world.arena);
    for (const char* outer : {"a", "b", "c"}) {
      if (!*rc::gen::arbitrary<bool>()) continue;
      MappingBuilder inner(world.arena);
      for (const char* key : {"x", "y", "z"}) {
        if (*rc::gen::arbitrary<bool>()) inner.insert(key, Value::integer(*rc::gen::inRange(0, 9)));
      }
      members.insert(outer, inner.finish());
    }
    value = members.finish();
  }
  const auto merged = [&world](const Value& old, const Value& incoming) {
    return world.merged(old, incoming, deep_replace());
  };
  RC_ASSERT(same(merged(merged(values[0], values[1]), values[2]), merged(values[0], merged(values[1], values[2]))));
}

RC_GTEST_PROP(Merging, KeepsOldKeysInPlaceAndAddsNewOnes, ()) {
  World world;
  const Sample a = *small(true);
  const Sample b = *small(true);
  const Value result = world.merged(a.value, b.value, deep_replace());
  for (std::size_t i = 0; i < a.value.size(); ++i) RC_ASSERT(same(result.entries()[i].key, a.value.entries()[i].key));
  std::size_t next = a.value.size();
  for (const Entry& entry : b.value.entries()) {
    if (a.value.find(entry.key) == nullptr) RC_ASSERT(same(result.entries()[next++].key, entry.key));
  }
  RC_ASSERT(next == result.size());
}

/// Functions of every kind: that choose a side, make something new, merge by themselves, and keep what they were given.
std::vector<Call> calls() {
  return {[](const Builder&, const Traced& old, const Traced& incoming, const Recurse&) {
            return old.value ? old : incoming;
          },
          [](const Builder& make, const Traced& old, const Traced& incoming, const Recurse&) {
            MappingBuilder made(make.arena());
            if (old.value) made.insert("old", old.value);
            if (incoming.value) made.insert("a", incoming.value);
            return Traced{made.finish(), {}};
          },
          [](const Builder& make, const Traced& old, const Traced& incoming, const Recurse&) {
            TracedMapping made(make);
            if (old.value) made.insert("old", old);
            if (incoming.value) made.insert("a", incoming);
            return made.finish();
          },
          [](const Builder& make, const Traced& old, const Traced& incoming, const Recurse& recurse) {
            if (!old.value.is_container() || old.value.size() == 0) return make.choose(incoming, old);
            return make.transform(old, [&](const Traced& member) { return recurse(member, incoming); });
          }};
}

/// Folding in place is merging again and again, whether or not a history is kept; inputs and what came before a failure
/// stay as they were.
RC_GTEST_PROP(Folding, IsRepeatedMerging, (std::uint64_t seed)) {
  World world;
  const Strategy strategy = random_strategy(
      seed, {.may_fail = seed % 2 == 0, .self_merge = true, .calls = seed % 3 == 0 ? calls().size() : 0});
  const std::vector<Call> functions = calls();
  const auto samples = *rc::gen::container<std::vector<Sample>>(5, small());
  std::vector<std::string> shown;
  shown.reserve(samples.size());
  for (const Sample& sample : samples) shown.push_back(flow(sample.value));

  Accumulator silent(world.arena, world.limits, world.nothing);
  Accumulator telling(world.arena, world.limits, world.history);
  Traced pure{samples.front().value, {}};
  silent.start({samples.front().value, {}});
  telling.start({samples.front().value, world.history.add_layer("first")});
  for (std::size_t i = 1; i < samples.size(); ++i) {
    const Traced layer{samples[i].value, world.history.add_layer("next")};
    const auto failed = [&](const auto& merge) {
      try {
        merge();
        return false;
      } catch (const Error&) {
        return true;
      }
    };
    const bool pure_failed = failed(
        [&] { pure = merge::merge(pure, layer, strategy, world.arena, world.limits, world.nothing, functions); });
    RC_ASSERT(failed([&] { silent.merge({layer.value, {}}, strategy, functions); }) == pure_failed);
    RC_ASSERT(failed([&] { telling.merge(layer, strategy, functions); }) == pure_failed);
    RC_ASSERT(flow(silent.current().value) == flow(pure.value));
    RC_ASSERT(flow(telling.current().value) == flow(pure.value));
  }
  for (std::size_t i = 0; i < samples.size(); ++i) RC_ASSERT(flow(samples[i].value) == shown[i]);

  // Every leaf has one winner, which is the leaf, or was merged from several.
  std::size_t leaves = 0;
  for (const PathHistory& path : world.history.explain(telling.current())) {
    std::size_t won = 0;
    std::size_t merged = 0;
    for (const Contribution& one : path.contributions) {
      merged += one.fate == Fate::merged ? 1 : 0;
      if (one.fate != Fate::won) continue;
      ++won;
      if (path.value) RC_ASSERT(flow(one.value) == flow(path.value) && one.value.origin() == path.value.origin());
    }
    if (!path.value) {  // What the result lacks has not won.
      RC_ASSERT(won == 0 && merged == 0);
      continue;
    }
    ++leaves;
    RC_ASSERT((won == 1 && merged == 0) || (won == 0 && merged > 0));
  }
  Arena arena;
  RC_ASSERT(leaves == report::blame_data(arena, world.sources, telling.current().value).size());
}

}  // namespace
}  // namespace strata::merge
