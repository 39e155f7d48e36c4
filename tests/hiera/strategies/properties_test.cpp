// SPDX-License-Identifier: Apache-2.0
// Laws of the merge behaviours, over random values.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "folding.hpp"

namespace strata::hiera {
namespace {

using strata::testing::Sample;

rc::Gen<Sample> data() {
  return strata::testing::any_value(
      {.depth = 3, .width = 5, .json_only = true, .finite = true, .equality = KeyEquality::exact});
}
rc::Gen<Sample> hash() {
  return strata::testing::any_mapping(
      {.depth = 3, .width = 5, .json_only = true, .finite = true, .equality = KeyEquality::exact});
}

MergeOptions any_deep() {
  MergeOptions options{.kind = MergeKind::deep, .knockout_prefix = {}};
  if (*rc::gen::arbitrary<bool>())
    options.knockout_prefix = *rc::gen::element<std::string>("--", "a", "-", "tru", "\n");
  options.merge_hash_arrays = *rc::gen::arbitrary<bool>();
  options.sort_merged_arrays = *rc::gen::inRange(0, 4) == 0;
  return options;
}

RC_GTEST_PROP(DeepMerging, IsIdempotentWithoutOptions, ()) {
  Folding world;
  const Sample high = *hash();
  const Sample low = *hash();
  const MergeOptions deep{.kind = MergeKind::deep, .knockout_prefix = {}};
  const Value once = world.fold(deep, {high.value, low.value}).value;
  // Lists of the lower level keep their duplicates until they are merged: folding them twice gives the same.
  const Value twice = world.fold(deep, {once, once}).value;
  RC_ASSERT(identical(world.fold(deep, {twice, twice}).value, twice));
  RC_ASSERT(identical(world.fold(deep, {twice, world.arena.mapping()}).value, twice));
}

TEST(DeepMerging, IsNotIdempotentWithAPrefix) {
  Folding world;
  const std::string knockout = "{strategy: deep, knockout_prefix: '--'}";
  EXPECT_EQ(world.folded(knockout, {"['--a', a]", "['--a', a]"}), Folding::shown(world.yaml("[a]")));
  EXPECT_EQ(world.folded(knockout, {"[a, b]", "['--a', a]", "[a, c]"}), Folding::shown(world.yaml("[c, a, b]")));
}

RC_GTEST_PROP(DeepMerging, HistoriesChangeNothingAndAgree, ()) {
  Folding world;
  const MergeOptions options = any_deep();
  const auto samples = *rc::gen::container<std::vector<Sample>>(4, data());
  std::vector<Value> levels;
  std::vector<std::string> before;
  for (const Sample& sample : samples) {
    levels.push_back(sample.value);
    before.push_back(Folding::shown(sample.value));
  }
  std::string plain;
  try {
    plain = Folding::shown(world.fold(options, levels).value);
  } catch (const Error& error) {
    RC_ASSERT(error.code() == "merge.unsortable");
    RC_ASSERT_THROWS_AS(world.fold(options, levels, true), Error);
    return;
  }
  const merge::Traced told = world.fold(options, levels, true);
  RC_ASSERT(Folding::shown(told.value) == plain);
  for (std::size_t i = 0; i < samples.size(); ++i) RC_ASSERT(Folding::shown(levels[i]) == before[i]);
  for (const merge::PathHistory& path : world.history.explain(told)) {
    std::size_t won = 0;
    std::size_t merged = 0;
    for (const merge::Contribution& one : path.contributions) {
      merged += one.fate == merge::Fate::merged ? 1 : 0;
      if (one.fate != merge::Fate::won) continue;
      ++won;
      if (path.value) RC_ASSERT(identical(one.value, path.value));
    }
    if (path.value) RC_ASSERT((won == 1 && merged == 0) || (won == 0 && merged > 0));
  }
}

RC_GTEST_PROP(UniqueMerging, IsFlatDistinctAndIdempotent, ()) {
  Folding world;
  const Sample high = *strata::testing::any_value(
      {.depth = 3, .width = 8, .json_only = true, .finite = true, .equality = KeyEquality::exact});
  RC_PRE(high.value.is_sequence());
  const MergeOptions unique{.kind = MergeKind::unique, .knockout_prefix = {}};
  const Value once = world.fold(unique, {high.value, high.value}).value;
  RC_ASSERT(identical(world.fold(unique, {once, high.value}).value, once));
  for (std::size_t i = 0; i < once.size(); ++i) {
    RC_ASSERT(!once.items()[i].is_sequence());
    for (std::size_t k = 0; k < i; ++k) RC_ASSERT(!equal(once.items()[i], once.items()[k]));
  }
}

RC_GTEST_PROP(HashMerging, TakesEachMemberFromItsHighestLevel, ()) {
  Folding world;
  const Sample high = *hash();
  const Sample low = *hash();
  const Value made = world.fold({.kind = MergeKind::hash, .knockout_prefix = {}}, {high.value, low.value}).value;
  for (const Entry& entry : made.entries()) {
    const Value* above = high.value.find(entry.key);
    RC_ASSERT(identical(entry.value, above != nullptr ? *above : *low.value.find(entry.key)));
  }
}

}  // namespace
}  // namespace strata::hiera
