#include "service/workers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <latch>

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

}  // namespace
}  // namespace strata::service
