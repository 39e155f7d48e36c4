// SPDX-License-Identifier: Apache-2.0
// Lookups end where their request does.
#include <gtest/gtest.h>

#include "strata/stop.hpp"
#include "world.hpp"

namespace strata::hiera {
namespace {

using testing::World;

/// What the first lookup of `name` that fails says; nothing where `rounds` of them succeed.
std::string first_failure(NodeView& view, const std::string& name, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    view.forget();
    try {
      (void)view.find(World::query(name));
    } catch (const LookupError& error) {
      return "LookupError " + error.code();
    } catch (const Error& error) {
      return error.code();
    }
  }
  return {};
}

World doubling_world(bool keeps_history, const Stop* stop) {
  std::string facts = "{v20: x";
  for (int i = 0; i < 20; ++i)
    facts += ", v" + std::to_string(i) + ": '%{v" + std::to_string(i + 1) + "}%{v" + std::to_string(i + 1) + "}'";
  return World(World::Files{{"hiera.yaml", testing::levels({"high.yaml", "low.yaml"})},
                            {"data/high.yaml", "k: plain\ndoubled: '%{v0}'\nshadow: plain\n"},
                            {"data/low.yaml", "k: low\nshadow: '%{v0}'\n"}},
               facts + "}", {.keeps_history = keeps_history, .limits = {.stop = stop}});
}

TEST(Stop, EndsLookupsThatAreManyOrLong) {
  Stop stop;
  World here = doubling_world(false, &stop);
  NodeView& view = here.view();
  EXPECT_EQ(first_failure(view, "k", 3), "");
  stop.cancel();
  EXPECT_EQ(first_failure(view, "k", 100), "session.cancelled") << "a LookupError could be taken for bad data";
  EXPECT_EQ(first_failure(view, "doubled", 1), "session.cancelled");
  EXPECT_THROW(
      (void)[&] {
        for (int round = 0; round < 100; ++round) (void)view.keys();
      }(),
      Error);
}

TEST(Stop, ADeadlineIsOne) {
  const Stop over(Stop::Clock::now() - std::chrono::seconds(1));
  World here = doubling_world(false, &over);
  EXPECT_EQ(first_failure(here.view(), "doubled", 1), "limit.time");
}

TEST(Stop, IsNotTakenForBadDataBelowTheWinner) {
  const Stop over(Stop::Clock::now() - std::chrono::seconds(1));
  World here = doubling_world(true, &over);
  EXPECT_EQ(first_failure(here.view(), "shadow", 1), "limit.time")
      << "a history looks below the winner, and passes over what fails there";
}

}  // namespace
}  // namespace strata::hiera
