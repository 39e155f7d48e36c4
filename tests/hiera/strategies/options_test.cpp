// SPDX-License-Identifier: Apache-2.0
// How merge behaviours are written.
#include <gtest/gtest.h>

#include "folding.hpp"

namespace strata::hiera {
namespace {

TEST(ParseMerge, NamesAndMappings) {
  Folding world;
  EXPECT_EQ(world.options("first").kind, MergeKind::first);
  EXPECT_EQ(world.options("unique").kind, MergeKind::unique);
  EXPECT_EQ(world.options("hash").kind, MergeKind::hash);
  EXPECT_EQ(world.options("deep").kind, MergeKind::deep);
  EXPECT_EQ(world.options("reverse_deep").kind, MergeKind::reverse_deep);
  EXPECT_EQ(world.options("~").kind, MergeKind::first);
  EXPECT_EQ(world.options("{strategy: unique}").kind, MergeKind::unique);
  const MergeOptions deep = world.options(
      "{strategy: deep, knockout_prefix: '--', sort_merged_arrays: true, merge_hash_arrays: ~, merge_debug: true}");
  EXPECT_EQ(
      deep,
      (MergeOptions{
          .kind = MergeKind::deep, .knockout_prefix = "--", .sort_merged_arrays = true, .merge_hash_arrays = false}));
  EXPECT_EQ(world.options("{strategy: deep, knockout_prefix: ~}").knockout_prefix, std::nullopt);
  EXPECT_EQ(world.options("{strategy: unconstrained_deep, other: 1, sort_merged_arrays: 'yes'}").sort_merged_arrays,
            true);
}

TEST(ParseMerge, ErrorsNameTheMemberAndItsPlace) {
  struct Case {
    const char* text;
    const char* message;
    std::uint32_t column;
  };
  for (const Case& one :
       {Case{"nope", "unknown merge strategy 'nope'", 1}, Case{"5", "unknown merge strategy '5'", 1},
        Case{"[deep]", "unknown merge strategy a sequence", 1},
        Case{"{knockout_prefix: x}", "a merge behaviour needs the member 'strategy'", 1},
        Case{"{strategy: ~}", "a merge behaviour needs the member 'strategy'", 1},
        Case{"{strategy: bad}", "unknown merge strategy 'bad'", 12},
        Case{"{strategy: hash, sort_merged_arrays: true}", "the merge strategy hash has no option 'sort_merged_arrays'",
             18},
        Case{"{strategy: deep, other: 1}", "the merge strategy deep has no option 'other'", 18},
        Case{"{strategy: deep, 1: 1}", "a merge option is an integer, not a name", 18},
        Case{"{strategy: deep, knockout_prefix: 5}", "knockout_prefix is an integer, not text", 35},
        Case{"{strategy: deep, sort_merged_arrays: 'yes'}", "sort_merged_arrays is text, not a boolean", 38},
        Case{"{strategy: reverse_deep, unpack_arrays: ','}",
             "strata does not know the old merge option 'unpack_arrays'", 26}}) {
    Folding world;
    try {
      (void)world.options(one.text);
      ADD_FAILURE() << one.text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "hiera.merge-options");
      EXPECT_STREQ(error.what(), one.message);
      EXPECT_EQ(error.diagnostic().where.place.column, one.column) << one.text;
    }
  }
}

TEST(ParseMerge, Remarks) {
  Folding world;
  EXPECT_TRUE(remarks(world.options("{strategy: deep, knockout_prefix: '--'}")).empty());
  EXPECT_EQ(remarks(world.options("{strategy: reverse_deep, knockout_prefix: '[ab]'}")).size(), 2);
}

TEST(BuildStrategy, PrintsAndReadsBack) {
  Folding world;
  for (const char* text :
       {"unique", "hash", "deep", "{strategy: deep, knockout_prefix: '--'}",
        "{strategy: deep, knockout_prefix: '.\\n\"', sort_merged_arrays: true, merge_hash_arrays: true}"}) {
    const merge::Strategy strategy = build_strategy(world.options(text), true);
    EXPECT_EQ(merge::parse_strategy(strategy.to_string()), strategy) << strategy.to_string();
  }
}

}  // namespace
}  // namespace strata::hiera
