// SPDX-License-Identifier: Apache-2.0
#include "service/workers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <latch>
#include <thread>

namespace strata::service {
namespace {

TEST(Workers, RefuseWhatTheirQueueHasNoRoomFor) {
  std::latch begun(1);
  std::promise<void> ends;
  Workers workers(1, 2);
  ASSERT_TRUE(workers.post([&] {
    begun.count_down();
    ends.get_future().wait();
  }));
  begun.wait();
  EXPECT_TRUE(workers.post([] {}));
  EXPECT_TRUE(workers.post([] {}));
  EXPECT_FALSE(workers.post([] {}));
  EXPECT_EQ(workers.waiting(), 2U);
  ends.set_value();
}

TEST(Workers, RunSoMuchOfOneOwnerAtOnce) {
  std::promise<void> ends;
  const std::shared_future<void> end = ends.get_future().share();
  std::latch two_of_one(2);
  std::promise<void> other;
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  std::atomic<int> done = 0;
  {
    Workers workers(4, 100, 2);
    for (int i = 0; i < 20; ++i) {
      ASSERT_TRUE(workers.post(
          [&, i] {
            const int now = ++running;
            for (int before = most; before < now && !most.compare_exchange_weak(before, now);) {
            }
            if (i < 2) two_of_one.count_down();
            end.wait();
            --running;
            ++done;
          },
          "one"));
    }
    two_of_one.wait();
    // Another owner does not wait for the first.
    ASSERT_TRUE(workers.post([&other] { other.set_value(); }, "other"));
    other.get_future().wait();
    EXPECT_EQ(workers.waiting(), 18U);
    ends.set_value();
  }
  EXPECT_EQ(done, 20);
  EXPECT_EQ(most, 2);
}

TEST(Workers, WorkInThePlaceOfThoseThatWait) {
  constexpr int kCount = 20;
  std::latch all_wait(kCount);
  std::atomic<int> working = 0;
  std::atomic<int> most = 0;
  std::atomic<int> done = 0;
  {
    Workers workers(2, 100);
    for (int i = 0; i < kCount; ++i) {
      ASSERT_TRUE(workers.post([&] {
        const int now = ++working;
        for (int before = most; before < now && !most.compare_exchange_weak(before, now);) {
        }
        --working;
        {
          const Workers::Waits waits;
          all_wait.arrive_and_wait();  // Two threads alone would wait for ever.
        }
        ++done;
      }));
    }
    all_wait.wait();
    // Who comes later finds threads enough.
    std::promise<void> later;
    ASSERT_TRUE(workers.post([&later] { later.set_value(); }));
    later.get_future().wait();
  }
  EXPECT_EQ(done, kCount);
  EXPECT_LE(most, 2);
}

TEST(Workers, FinishWhatIsQueuedWhenTheyEndWhileOthersWait) {
  std::promise<void> ends;
  const std::shared_future<void> end = ends.get_future().share();
  std::latch waits(2);
  std::atomic<int> done = 0;
  std::thread later;
  {
    Workers workers(2, 100);
    for (int i = 0; i < 2; ++i) {
      ASSERT_TRUE(workers.post([&] {
        const Workers::Waits waiting;
        waits.count_down();
        end.wait();
        ++done;
      }));
    }
    waits.wait();
    for (int i = 0; i < 50; ++i) {
      ASSERT_TRUE(workers.post([&done] { ++done; }));
    }
    later = std::thread([&ends] { ends.set_value(); });
  }
  later.join();
  EXPECT_EQ(done, 52);
}

TEST(Workers, MayWaitOutsideOfAnyPool) { const Workers::Waits waits; }

}  // namespace
}  // namespace strata::service
