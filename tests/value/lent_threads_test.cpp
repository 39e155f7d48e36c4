// SPDX-License-Identifier: Apache-2.0
#include "value/lent_threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>

#include "support/threads.hpp"

namespace strata::detail {
namespace {

using testing::AtOnce;
using testing::NoThreads;
using testing::Threads;

TEST(LentThreads, RunTheWorkAsOftenAsThereAreThreads) {
  const auto executor = std::make_shared<Threads>(3);
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> running = 0;
    std::atomic<int> most = 0;
    std::atomic<int> left = 50;
    {
      LentThreads threads(executor, 0, [&] {
        const int now = ++running;
        for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
        }
        while (--left > 0) {
        }
        --running;
      });
      EXPECT_EQ(threads.width(), 3U);
      for (int i = 0; i < 10; ++i) threads.call();
    }
    // Nothing runs any more, and no more at once than there are threads.
    EXPECT_EQ(running, 0);
    EXPECT_LE(most, 3);
  }
}

TEST(LentThreads, NeedNone) {
  LentThreads none(nullptr, 0, [] { FAIL(); });
  EXPECT_EQ(none.width(), 0U);
  none.call();
  LentThreads dropped(std::make_shared<NoThreads>(), 0, [] { FAIL(); });
  for (int i = 0; i < 10; ++i) dropped.call();
  int runs = 0;
  LentThreads at_once(std::make_shared<AtOnce>(), 0, [&runs] { ++runs; });
  for (int i = 0; i < 10; ++i) at_once.call();
  EXPECT_EQ(runs, 10);
}

TEST(LentThreads, WaitForNothingThatHasNotBegun) {
  // The only thread is busy with other work, which ends later than what it would do here.
  const auto executor = std::make_shared<Threads>(1);
  std::atomic<bool> may_end = false;
  executor->post([&may_end] {
    while (!may_end) std::this_thread::yield();
  });
  {
    LentThreads threads(executor, 0, [] { ADD_FAILURE() << "its owner is gone"; });
    threads.call();
  }
  may_end = true;
}

}  // namespace
}  // namespace strata::detail
