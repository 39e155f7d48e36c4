// SPDX-License-Identifier: Apache-2.0
#include "service/explore/work.hpp"

#include <gtest/gtest.h>

#include <future>
#include <vector>

#include "strata/error.hpp"

namespace strata::service::explore {
namespace {

TEST(Work, IsDoneOnceForAllWhoWait) {
  std::atomic<int> runs = 0;
  std::promise<void> may_go;
  Once<int> once({.project = "p", .work = "survey"}, {});
  const auto make = [&](const Stop& /*stop*/) {
    ++runs;
    may_go.get_future().wait();
    return 7;
  };
  const Stop stop;
  std::vector<std::future<int>> all;
  for (int i = 0; i < 4; ++i) all.push_back(std::async(std::launch::async, [&] { return once.get(stop, 0, make); }));
  EXPECT_EQ(once.peek(), nullptr);
  EXPECT_EQ(once.get_within(std::chrono::milliseconds(1), 0, make), nullptr);
  may_go.set_value();
  for (auto& one : all) EXPECT_EQ(one.get(), 7);
  EXPECT_EQ(runs, 1);
  ASSERT_NE(once.peek(), nullptr);
  EXPECT_EQ(*once.peek(), 7);
  ASSERT_NE(once.get_within(std::chrono::milliseconds(0), 0, make), nullptr);
}

TEST(Work, WhoLeavesDoesNotEndItForOthers) {
  std::promise<void> may_go;
  Once<int> once({}, {});
  const auto make = [&](const Stop& stop) {
    may_go.get_future().wait();
    stop.check();
    return 7;
  };
  Stop first;
  auto left = std::async(std::launch::async, [&] { (void)once.get(first, 0, make); });
  const Stop second;
  auto stays = std::async(std::launch::async, [&] { return once.get(second, 0, make); });
  first.cancel();
  EXPECT_THROW(left.get(), Error);
  may_go.set_value();
  EXPECT_EQ(stays.get(), 7);
}

TEST(Work, AFailureIsToldAndTheNextOneTriesAgain) {
  int runs = 0;
  Once<int> once({}, {});
  const auto make = [&](const Stop& /*stop*/) -> int {
    if (++runs == 1) throw Error("test.code", "it fails");
    return 7;
  };
  const Stop stop;
  EXPECT_THROW((void)once.get(stop, 0, make), Error);
  EXPECT_EQ(once.peek(), nullptr);
  EXPECT_EQ(once.get(stop, 0, make), 7);
}

TEST(Work, EndsWithItsOwner) {
  std::promise<void> begun;
  std::atomic<bool> was_stopped = false;
  {
    Once<int> once({}, {});
    (void)once.get_within(std::chrono::milliseconds(0), 0, [&](const Stop& stop) -> int {
      begun.set_value();
      while (!stop.is_due()) std::this_thread::yield();
      was_stopped = true;
      stop.check();
      return 7;
    });
    begun.get_future().wait();
  }
  EXPECT_TRUE(was_stopped);
}

TEST(Work, TellsHowFarItIsAndItsEnd) {
  std::mutex mutex;
  std::vector<Progress> told;
  Once<int> once({.project = "p", .revision = "r", .work = "survey"}, [&](const Progress& progress) {
    const std::scoped_lock lock(mutex);
    told.push_back(progress);
  });
  const Stop stop;
  const auto is_told = [&] {
    const std::scoped_lock lock(mutex);
    return !told.empty();
  };
  EXPECT_EQ(once.get(stop, 100,
                     [&](const Stop& /*stop*/) {
                       while (!is_told()) once.work().count();
                       return 7;
                     }),
            7);
  ASSERT_GE(told.size(), 2U);
  EXPECT_FALSE(told.front().is_over);
  EXPECT_EQ(told.front().project, "p");
  EXPECT_EQ(told.front().revision, "r");
  EXPECT_EQ(told.front().work, "survey");
  EXPECT_EQ(told.front().all, 100U);
  EXPECT_GT(told.front().done, 0U);
  EXPECT_TRUE(told.back().is_over);
}

}  // namespace
}  // namespace strata::service::explore
