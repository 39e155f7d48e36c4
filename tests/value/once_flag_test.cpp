// SPDX-License-Identifier: Apache-2.0
#include "value/once_flag.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace strata {
namespace {

TEST(OnceFlag, CallsOnce) {
  OnceFlag flag;
  int calls = 0;
  flag.call([&] { ++calls; });
  flag.call([&] { ++calls; });
  EXPECT_EQ(calls, 1);
}

TEST(OnceFlag, PassesExceptionsOnAndTriesAgain) {
  OnceFlag flag;
  int calls = 0;
  EXPECT_THROW(flag.call([&] {
    ++calls;
    throw std::runtime_error("no");
  }),
               std::runtime_error);
  flag.call([&] { ++calls; });
  flag.call([&] { ++calls; });
  EXPECT_EQ(calls, 2);
}

TEST(OnceFlag, OtherThreadsWait) {
  OnceFlag flag;
  std::atomic<int> calls = 0;
  int made = 0;  // Not atomic: the flag orders it.
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      try {
        flag.call([&] {
          if (++calls < 3) throw std::runtime_error("no");
          made = 7;
        });
        EXPECT_EQ(made, 7);
      } catch (const std::runtime_error&) {
        EXPECT_LT(calls, 8);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(made, 7);
}

}  // namespace
}  // namespace strata
