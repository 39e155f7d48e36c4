#include "strata/stop.hpp"

#include <gtest/gtest.h>

#include "support/expect_error.hpp"

namespace strata {
namespace {

TEST(Stop, EndsNothingByItself) {
  const Stop stop;
  EXPECT_FALSE(stop.is_due());
  EXPECT_EQ(stop.deadline(), Stop::Clock::time_point::max());
  stop.check();
}

TEST(Stop, TellsCancelledFromLate) {
  Stop late(Stop::Clock::now());
  EXPECT_TRUE(late.is_due());
  STRATA_EXPECT_ERROR(late.check(), "limit.time");
  late.cancel();
  STRATA_EXPECT_ERROR(late.check(), "session.cancelled");
}

TEST(Stop, DeadlinesOnlyComeNearer) {
  const auto now = Stop::Clock::now();
  Stop stop(now + std::chrono::hours(1));
  stop.end_at(now + std::chrono::hours(2));
  EXPECT_EQ(stop.deadline(), now + std::chrono::hours(1));
  stop.end_at(now);
  EXPECT_EQ(stop.deadline(), now);
  EXPECT_EQ(stop.earlier(now + std::chrono::hours(1)), now);
  EXPECT_TRUE(stop.is_due());
}

TEST(StopCheck, LooksOnceInAWhile) {
  Stop stop;
  stop.cancel();
  StopCheck check(&stop);
  int turns = 0;
  try {
    for (; turns < 1'000'000; ++turns) check.tick();
  } catch (const Error& error) {
    EXPECT_TRUE(error.ends_request());
  }
  EXPECT_LT(turns, 10'000);
  StopCheck without(nullptr);
  without.tick();
}

}  // namespace
}  // namespace strata
