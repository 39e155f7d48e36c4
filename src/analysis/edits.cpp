// SPDX-License-Identifier: Apache-2.0
// What differs between two texts, by lines.
#include <algorithm>
#include <utility>

#include "strata/analysis.hpp"
#include "value/alignment.hpp"

namespace strata::analysis {
namespace {

/// The lines of a text without their breaks.
std::vector<std::string_view> lines_without_breaks(std::string_view text) {
  std::vector<std::string_view> out = lines_with_breaks(text);
  for (std::string_view& line : out) {
    if (line.ends_with('\n')) line.remove_suffix(1);
  }
  return out;
}

bool is_binary(std::string_view text) {
  constexpr std::size_t kLookedAt = 8000;
  return text.substr(0, kLookedAt).find('\0') != std::string_view::npos;
}

}  // namespace

std::size_t count_lines(std::string_view text) { return lines_without_breaks(text).size(); }

Edit whole_edit(std::string file, std::size_t before, std::size_t after) {
  return {.file = std::move(file),
          .before = {.line = 1, .lines = before},
          .after = {.line = 1, .lines = after},
          .whole = true};
}

std::vector<Edit> line_edits(const std::string& file, const std::string& before, const std::string& after,
                             const Comparison& how) {
  constexpr std::size_t kMostSingleLines = 8;
  const auto left_lines = lines_without_breaks(before);
  const auto right_lines = lines_without_breaks(after);
  if (is_binary(before) || is_binary(after) || (before != after && left_lines == right_lines)) {
    return {whole_edit(file, left_lines.size(), right_lines.size())};
  }
  const auto [left, right] = numbered_lines(left_lines, right_lines);
  std::vector<Edit> out;
  for_each_stretch(
      align(left, right, how.alignment, how.stop), left.size(), right.size(),
      [&](std::size_t i, std::size_t i_end, std::size_t j, std::size_t j_end) {
        const std::size_t removed = i_end - i;
        const std::size_t added = j_end - j;
        if (removed == added && added <= kMostSingleLines) {
          for (; i < i_end; ++i, ++j) out.push_back({.file = file, .before = {i + 1, 1}, .after = {j + 1, 1}});
        } else {
          out.push_back({.file = file, .before = {i + 1, removed}, .after = {j + 1, added}});
        }
      },
      [](std::size_t, std::size_t) {});
  return out;
}

std::string with_edit(std::string_view text, std::size_t line, std::size_t lines, std::string_view other,
                      std::size_t other_line, std::size_t other_lines) {
  const auto own = lines_with_breaks(text);
  const auto theirs = lines_with_breaks(other);
  std::string out;
  const auto add = [&out](const std::vector<std::string_view>& from, std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < std::min(end, from.size()); ++i) {
      // A line that was the last one of its text may have no break.
      if (!out.empty() && out.back() != '\n') out += '\n';
      out += from[i];
    }
  };
  add(own, 0, line - 1);
  add(theirs, other_line - 1, other_line - 1 + other_lines);
  add(own, line - 1 + lines, own.size());
  return out;
}

}  // namespace strata::analysis
