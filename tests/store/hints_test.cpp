// SPDX-License-Identifier: Apache-2.0
// What processes over one database say to each other.
#include "store/hints.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "stores.hpp"

namespace strata::store {
namespace {

using std::chrono::milliseconds;
constexpr std::chrono::minutes kHangs{2};

Hints::Clock::time_point hints_now() { return Hints::Clock::now(); }

class HintsTest : public OnBothDatabases {};
INSTANTIATE_STORES(HintsTest);

TEST_P(HintsTest, AreForDatabasesOfSeveralProcesses) { EXPECT_EQ(open()->hints() != nullptr, is_postgres()); }

TEST_P(HintsTest, AreHeardByTheOthers) {
  if (!is_postgres()) GTEST_SKIP() << "one process has a file of SQLite";
  const auto one = open()->hints();
  const auto two = open()->hints();
  (void)two->exchange({}, hints_now());
  (void)one->exchange({"a:1", "b'\\\":2"}, hints_now());
  std::vector<std::string> heard;
  while (heard.size() < 2) {
    const auto more = two->exchange({}, hints_now() + kHangs);
    ASSERT_FALSE(more.empty());
    heard.insert(heard.end(), more.begin(), more.end());
  }
  EXPECT_EQ(heard, (std::vector<std::string>{"a:1", "b'\\\":2"}));
}

TEST_P(HintsTest, AreWaitedForUntilSomebodyWakes) {
  if (!is_postgres()) GTEST_SKIP() << "one process has a file of SQLite";
  const auto hints = open()->hints();
  hints->wake();
  // For ever: the test would hang.
  EXPECT_TRUE(hints->exchange({}, hints_now() + std::chrono::hours(24)).empty());
}

TEST_P(HintsTest, AreHeardAgainAfterTheServerWasAway) {
  if (!is_postgres()) GTEST_SKIP() << "one process has a file of SQLite";
  const auto one = open()->hints();
  const auto two = open()->hints();
  (void)one->exchange({"a:1"}, hints_now());
  (void)two->exchange({}, hints_now());
  testing::PostgresServer& server = testing::PostgresServer::shared();
  server.stop(false);
  EXPECT_TRUE(one->exchange({"a:2"}, hints_now() + milliseconds(10)).empty());
  EXPECT_TRUE(two->exchange({}, hints_now() + milliseconds(10)).empty());
  server.start();
  const auto end = hints_now() + kHangs;
  std::vector<std::string> heard;
  while (std::ranges::count(heard, "a:3") == 0 && hints_now() < end) {
    (void)one->exchange({"a:3"}, hints_now() + milliseconds(50));
    heard = two->exchange({}, hints_now() + milliseconds(50));
  }
  EXPECT_GT(std::ranges::count(heard, "a:3"), 0);
}

}  // namespace
}  // namespace strata::store
