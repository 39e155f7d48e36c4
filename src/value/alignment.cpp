// SPDX-License-Identifier: Apache-2.0
#include "value/alignment.hpp"

#include <algorithm>

#include "strata/stop.hpp"
#include "value/seeded_hash.hpp"

namespace strata {
namespace {

/// The longest common subsequence of two lists that share neither first nor last item.
void align_middle(const std::vector<std::uint32_t>& left, const std::vector<std::uint32_t>& right, std::size_t from,
                  std::size_t left_end, std::size_t right_end, const Stop* stop, std::vector<Match>& out) {
  const std::size_t rows = left_end - from;
  const std::size_t columns = right_end - from;
  const std::size_t width = columns + 1;
  // The length of the longest common subsequence of what begins at (row, column).
  std::vector<std::uint32_t> lengths((rows + 1) * width, 0);
  for (std::size_t row = rows; row-- > 0;) {
    if (stop != nullptr) stop->check();
    for (std::size_t column = columns; column-- > 0;) {
      const std::size_t at = row * width + column;
      lengths[at] = left[from + row] == right[from + column] ? lengths[at + width + 1] + 1
                                                             : std::max(lengths[at + width], lengths[at + 1]);
    }
  }
  std::size_t column = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint32_t best = lengths[row * width + column];
    if (best == 0) return;
    // The first column where the row's item can be matched without losing length; the lengths fall with the columns.
    for (std::size_t other = column; other < columns && lengths[row * width + other] == best; ++other) {
      if (left[from + row] != right[from + other] || lengths[(row + 1) * width + other + 1] + 1 != best) continue;
      out.push_back({.left = from + row, .right = from + other});
      column = other + 1;
      break;
    }
  }
}

}  // namespace

std::vector<Match> align(const std::vector<std::uint32_t>& left, const std::vector<std::uint32_t>& right,
                         std::size_t most, const Stop* stop) {
  std::vector<Match> out;
  const std::size_t shorter = std::min(left.size(), right.size());
  std::size_t prefix = 0;
  while (prefix < shorter && left[prefix] == right[prefix]) ++prefix;
  std::size_t suffix = 0;
  while (suffix < shorter - prefix && left[left.size() - 1 - suffix] == right[right.size() - 1 - suffix]) ++suffix;
  for (std::size_t i = 0; i < prefix; ++i) out.push_back({.left = i, .right = i});
  const std::size_t rows = left.size() - prefix - suffix;
  const std::size_t columns = right.size() - prefix - suffix;
  if (rows != 0 && columns != 0 && rows <= most / columns)
    align_middle(left, right, prefix, left.size() - suffix, right.size() - suffix, stop, out);
  for (std::size_t i = suffix; i > 0; --i) out.push_back({.left = left.size() - i, .right = right.size() - i});
  return out;
}

std::vector<std::string_view> lines_with_breaks(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    out.push_back(text.substr(0, end == std::string_view::npos ? end : end + 1));
    text.remove_prefix(out.back().size());
  }
  return out;
}

std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> numbered_lines(
    const std::vector<std::string_view>& left, const std::vector<std::string_view>& right) {
  TextViewMap<std::uint32_t> numbers;
  const auto numbered = [&numbers](const std::vector<std::string_view>& lines) {
    std::vector<std::uint32_t> out;
    out.reserve(lines.size());
    for (const std::string_view line : lines)
      out.push_back(numbers.try_emplace(line, static_cast<std::uint32_t>(numbers.size())).first->second);
    return out;
  };
  return {numbered(left), numbered(right)};
}

}  // namespace strata
