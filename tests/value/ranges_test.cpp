// SPDX-License-Identifier: Apache-2.0
#include "value/ranges.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <utility>
#include <vector>

namespace strata::detail {
namespace {

TEST(Ranges, LeasesAllThereIsAndNoMore) {
  Ranges ranges(10, 20);
  EXPECT_EQ(ranges.lease(4), 10U);
  EXPECT_EQ(ranges.lease(6), 14U);
  EXPECT_FALSE(ranges.lease(1));
  ranges.give_back(10, 4);
  EXPECT_FALSE(ranges.lease(5));
  EXPECT_EQ(ranges.lease(4), 10U);
}

TEST(Ranges, UsesWhatWasGivenBackLast) {
  Ranges ranges(0, 100);
  for (std::uint32_t i = 0; i < 10; ++i) {
    const auto first = ranges.lease(10);
    EXPECT_EQ(first, i * 10);
    ranges.give_back(*first, 10);
  }
  EXPECT_EQ(ranges.lease(10), 0U) << "once round";
}

RC_GTEST_PROP(Ranges, NeverLeaseANumberTwice, (const std::vector<std::pair<std::uint8_t, bool>>& steps)) {
  Ranges ranges(5, 500);
  std::map<std::uint32_t, std::uint32_t> leased;
  for (const auto& [number, gives_back] : steps) {
    const std::uint32_t size = number % 60U + 1;
    if (gives_back && !leased.empty()) {
      const auto victim = std::next(leased.begin(), static_cast<std::ptrdiff_t>(number % leased.size()));
      ranges.give_back(victim->first, victim->second);
      leased.erase(victim);
      continue;
    }
    const auto first = ranges.lease(size);
    if (!first) {
      // No hole between what is leased is large enough.
      std::uint32_t end = 5;
      for (const auto& [base, taken] : leased) {
        RC_ASSERT(base - end < size);
        end = base + taken;
      }
      RC_ASSERT(500 - end < size);
      continue;
    }
    RC_ASSERT(*first >= 5U && *first + size <= 500U);
    const auto after = leased.lower_bound(*first);
    // In parentheses: RC_ASSERT evaluates both sides of its own `||`.
    RC_ASSERT((after == leased.end() || *first + size <= after->first));
    RC_ASSERT((after == leased.begin() || std::prev(after)->first + std::prev(after)->second <= *first));
    leased.emplace(*first, size);
  }
  for (const auto& [base, size] : leased) ranges.give_back(base, size);
  RC_ASSERT(ranges.lease(495).has_value());
}

}  // namespace
}  // namespace strata::detail
