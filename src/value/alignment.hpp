// SPDX-License-Identifier: Apache-2.0
// Which items of two lists are the same items.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace strata {
class Stop;
}

namespace strata {

/// An item of the left list and the item of the right one that it is.
struct Match {
  std::size_t left;
  std::size_t right;
};

/// Aligns two lists, whose items are the same where their numbers are: the common prefix, the common suffix of the
/// rest, and of what is left between them a longest common subsequence, unless it has more than `most` pairs. Of
/// several it is the one whose matches are lexicographically smallest. The matches are in order; neither side of them
/// ever goes back.
[[nodiscard]] std::vector<Match> align(const std::vector<std::uint32_t>& left, const std::vector<std::uint32_t>& right,
                                       std::size_t most, const Stop* stop);

/// The lines of a text with their breaks, `\n`; the last one may lack it.
[[nodiscard]] std::vector<std::string_view> lines_with_breaks(std::string_view text);
/// Two lists of lines as numbers, the same for the same line.
[[nodiscard]] std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> numbered_lines(
    const std::vector<std::string_view>& left, const std::vector<std::string_view>& right);

/// Calls `gap(left, left_end, right, right_end)` for the items between two matches, also if there are none, and
/// `match(left, right)` for each match.
template <class Gap, class OnMatch>
void for_each_stretch(const std::vector<Match>& matches, std::size_t left_size, std::size_t right_size, const Gap& gap,
                      const OnMatch& match) {
  std::size_t left = 0;
  std::size_t right = 0;
  for (const Match& one : matches) {
    gap(left, one.left, right, one.right);
    match(one.left, one.right);
    left = one.left + 1;
    right = one.right + 1;
  }
  gap(left, left_size, right, right_size);
}

}  // namespace strata
