// SPDX-License-Identifier: Apache-2.0
#include "value/in_order.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/threads.hpp"

namespace strata::detail {
namespace {

std::vector<std::shared_ptr<Executor>> executors() {
  return {nullptr, std::make_shared<testing::NoThreads>(), std::make_shared<testing::AtOnce>(),
          std::make_shared<testing::Threads>(1), std::make_shared<testing::Threads>(7)};
}

/// Squares of the numbers below `count`, up to what is thrown. `fails`: the job that fails; `breaks`: the end of the
/// source, which fails.
std::string squares(const std::shared_ptr<Executor>& executor, int count, int fails = -1, int breaks = -1,
                    int taken = 1'000'000) {
  int next = 0;
  std::string out;
  InOrder<int, std::string> work(
      executor, 0,
      [&]() -> std::optional<int> {
        if (next == breaks) throw std::runtime_error("source");
        return next == count ? std::nullopt : std::optional(next++);
      },
      [fails](int job) {
        if (job == fails) throw std::runtime_error("job");
        return std::to_string(job * job);
      });
  try {
    for (int i = 0; i < taken; ++i) {
      const auto result = work.next();
      if (!result) return out + ".";
      out += *result + " ";
    }
  } catch (const std::runtime_error& error) {
    out += error.what();
  }
  return out;
}

TEST(InOrder, GivesResultsInOrder) {
  const std::string expected = squares(nullptr, 500);
  EXPECT_TRUE(expected.ends_with("249001 ."));
  for (const auto& executor : executors()) {
    for (int round = 0; round < 20; ++round) EXPECT_EQ(squares(executor, 500), expected);
    EXPECT_EQ(squares(executor, 0), ".");
    EXPECT_EQ(squares(executor, 1), "0 .");
  }
}

TEST(InOrder, FailsWhereOneThreadDoes) {
  for (const auto& executor : executors()) {
    for (int round = 0; round < 20; ++round) {
      EXPECT_EQ(squares(executor, 100, 3), "0 1 4 job");
      EXPECT_EQ(squares(executor, 100, -1, 3), "0 1 4 source");
      EXPECT_EQ(squares(executor, 100, 0), "job");
      EXPECT_EQ(squares(executor, 100, 2, 5), "0 1 job");
    }
  }
}

TEST(InOrder, MayBeLeft) {
  for (const auto& executor : executors()) {
    for (int round = 0; round < 50; ++round) EXPECT_EQ(squares(executor, 1000, -1, -1, 2), "0 1 ");
  }
}

TEST(InOrder, KeepsFewResults) {
  const auto executor = std::make_shared<testing::Threads>(3);
  std::atomic<int> begun = 0;
  int next = 0;
  InOrder<int, int> work(
      executor, 0, [&next]() { return std::optional(next++); },
      [&begun](int job) {
        ++begun;
        return job;
      });
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(*work.next(), i);
    EXPECT_LE(begun, i + 1 + 8 + 1);
  }
}

}  // namespace
}  // namespace strata::detail
