// SPDX-License-Identifier: Apache-2.0
// Alignment of lists, against every common subsequence of short ones.
#include "value/alignment.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace strata::analysis {
namespace {

using Symbols = std::vector<std::uint32_t>;
using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

Pairs aligned(const Symbols& left, const Symbols& right, std::size_t most = 1'000'000) {
  Pairs out;
  for (const Match& match : align(left, right, most, nullptr)) out.emplace_back(match.left, match.right);
  return out;
}

/// All common subsequences of two lists from positions on, longest and smallest first. Exponential.
Pairs best_of(const Symbols& left, const Symbols& right, std::size_t i, std::size_t i_end, std::size_t j,
              std::size_t j_end) {
  Pairs best;
  for (std::size_t a = i; a < i_end; ++a) {
    for (std::size_t b = j; b < j_end; ++b) {
      if (left[a] != right[b]) continue;
      Pairs one{{a, b}};
      std::ranges::copy(best_of(left, right, a + 1, i_end, b + 1, j_end), std::back_inserter(one));
      if (one.size() > best.size() || (one.size() == best.size() && one < best)) best = std::move(one);
    }
  }
  return best;
}

Pairs expected(const Symbols& left, const Symbols& right) {
  std::size_t prefix = 0;
  while (prefix < std::min(left.size(), right.size()) && left[prefix] == right[prefix]) ++prefix;
  std::size_t i_end = left.size();
  std::size_t j_end = right.size();
  while (i_end > prefix && j_end > prefix && left[i_end - 1] == right[j_end - 1]) {
    --i_end;
    --j_end;
  }
  Pairs out;
  for (std::size_t i = 0; i < prefix; ++i) out.emplace_back(i, i);
  std::ranges::copy(best_of(left, right, prefix, i_end, prefix, j_end), std::back_inserter(out));
  for (; i_end < left.size(); ++i_end, ++j_end) out.emplace_back(i_end, j_end);
  return out;
}

RC_GTEST_PROP(Alignment, IsTheSmallestOfTheLongest, ()) {
  const auto list = rc::gen::resize(7, rc::gen::container<Symbols>(rc::gen::inRange<std::uint32_t>(0, 4)));
  const Symbols left = *list;
  const Symbols right = *list;
  RC_ASSERT(aligned(left, right) == expected(left, right));
}

TEST(Alignment, PrefersEarlyPairs) {
  EXPECT_EQ(aligned({0, 1, 2}, {3, 1, 0, 4}), (Pairs{{0, 2}}));
  EXPECT_EQ(aligned({0, 1, 0}, {2, 0, 1, 0, 3}), (Pairs{{0, 1}, {1, 2}, {2, 3}}));
}

TEST(Alignment, MatchesEndsOnlyWhereTheMiddleIsTooLarge) {
  EXPECT_EQ(aligned({9, 0, 1, 8}, {9, 1, 2, 8}, 4), (Pairs{{0, 0}, {2, 1}, {3, 3}}));
  EXPECT_EQ(aligned({9, 0, 1, 8}, {9, 1, 2, 8}, 3), (Pairs{{0, 0}, {3, 3}}));
}

TEST(Alignment, LongListsAreLinearWhereLittleDiffers) {
  Symbols left(1'000'000);
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = static_cast<std::uint32_t>(i);
  Symbols right = left;
  right.insert(right.begin() + 500'000, 2'000'000);
  EXPECT_EQ(aligned(left, right).size(), left.size());
}

}  // namespace
}  // namespace strata::analysis
