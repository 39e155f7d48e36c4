// SPDX-License-Identifier: Apache-2.0
#include "strata/stop.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

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

/// Works until `stop` is due; false where it never is. Looks at another clock than the budget's only to give up.
bool works_until_due(const Stop& stop) {
  const auto end = Stop::Clock::now() + std::chrono::minutes(5);
  while (!stop.is_due()) {
    if (Stop::Clock::now() > end) return false;
  }
  return true;
}

constexpr std::size_t kMuch =
    1'000'000;  ///< Far more than a bound of a thousand, for programs built with a sanitizer too.

TEST(Budget, WorkMayOutliveAFlagThatEndsIt) {
  auto flag = std::make_unique<Stop>();
  Stop work(flag.get());
  work.spend({.memory = 1000});
  work.take_memory(500);
  flag.reset();  // What is left gives nothing back to it.
}

TEST(Budget, TimeForSomethingElseDoesNotCount) {
  Stop work;
  work.spend({.processor_time = std::chrono::hours(1)});
  work.not_for_this(std::chrono::hours(-100));                 // Sanitized programs have more.
  std::this_thread::sleep_for(std::chrono::milliseconds(10));  // It looks at the clock every few milliseconds.
  EXPECT_TRUE(work.is_due());
  Stop other;
  constexpr std::chrono::milliseconds kAllowed{20};
  other.spend({.processor_time = kAllowed});
  {
    const StopPause pause(other);
    Stop measure;
    measure.spend({.processor_time = 5 * kAllowed});
    while (!measure.is_due()) {
    }
  }
  EXPECT_FALSE(other.is_due());
}

TEST(Budget, EndsWorkThatTakesProcessorTime) {
  Stop stop;
  stop.spend({.processor_time = std::chrono::milliseconds(1)});
  EXPECT_TRUE(works_until_due(stop));
  EXPECT_TRUE(stop.is_spent());
  STRATA_EXPECT_ERROR(stop.check(), "limit.processor-time");
}

TEST(Budget, BoundsMemoryByWhatWasRead) {
  std::atomic<std::size_t> input = 0;
  Stop stop;
  stop.spend({.memory = 1000, .input = &input});
  stop.take_memory(1000);
  stop.check();
  input = kMuch;
  stop.take_memory(kMuch);
  input = 0;
  STRATA_EXPECT_ERROR(stop.take_memory(kMuch), "limit.memory");
  STRATA_EXPECT_ERROR(stop.check(), "limit.memory");
}

TEST(Budget, NamesThePlaceWithoutItsLine) {
  Sources sources;
  const SourceId text = sources.add("a.yaml", "x: 1\ny: secret\n");
  Stop stop;
  stop.spend({.memory = 10, .sources = &sources});
  stop.at(sources.at(text, 5));
  try {
    stop.take_memory(kMuch);
    ADD_FAILURE() << "did not fail";
  } catch (const Error& error) {
    EXPECT_TRUE(error.ends_request());
    EXPECT_EQ(error.diagnostic().where.place.to_string(), "a.yaml:2:1");
    EXPECT_EQ(error.diagnostic().where.line, "");
  }
}

TEST(Budget, OfAPartIsNotThatOfTheWhole) {
  Stop whole;
  whole.spend({.processor_time = std::chrono::milliseconds(10)});
  {
    Stop part(&whole);
    part.spend({.processor_time = std::chrono::milliseconds(20)});
    EXPECT_TRUE(works_until_due(part));
    STRATA_EXPECT_ERROR(part.check(), "limit.processor-time");
  }
  whole.check();
}

TEST(Budget, OfAPartsMemoryIsGivenBack) {
  Stop whole;
  whole.spend({.memory = kMuch});
  for (int i = 0; i < 1000; ++i) {
    Stop part(&whole);
    part.spend({.memory = kMuch});
    part.take_memory(kMuch / 2);
  }
  whole.check();
  Stop part(&whole);
  part.spend({});
  STRATA_EXPECT_ERROR(part.take_memory(kMuch * 100), "limit.memory");
  EXPECT_TRUE(whole.is_spent());
  EXPECT_FALSE(part.is_spent());
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
