// SPDX-License-Identifier: Apache-2.0
#include "strata/near_names.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace strata {
namespace {

constexpr std::size_t kLongest = 100;
/// What is farther is not what was meant.
constexpr std::size_t kFarthest = 3;

char32_t lower(char32_t c) noexcept { return c >= U'A' && c <= U'Z' ? c + 32 : c; }

/// How many bytes follow a first byte. 0 also for bytes that begin nothing.
std::size_t following(unsigned char first) noexcept {
  if (first >= 0xF0 && first < 0xF8) return 3;
  if (first >= 0xE0 && first < 0xF0) return 2;
  return first >= 0xC2 && first < 0xE0 ? 1 : 0;
}

/// How often a name has each ASCII character, whatever its case.
using Letters = std::array<int, 128>;

void count_letters(std::string_view name, Letters& letters, int each) noexcept {
  for (const char c : name) {
    const auto code = static_cast<unsigned char>(c);
    if (code < letters.size()) letters[lower(code)] += each;
  }
}

std::size_t difference_of(Letters letters, std::string_view name) noexcept {
  count_letters(name, letters, -1);
  std::size_t out = 0;
  for (const int count : letters) out += static_cast<std::size_t>(count < 0 ? -count : count);
  return out;
}

}  // namespace

std::u32string code_points(std::string_view text) {
  std::u32string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const std::size_t more = following(first);
    const auto continues = [&](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
    const std::string_view rest = text.substr(i + 1, more);
    if (more == 0 || rest.size() < more || !std::ranges::all_of(rest, continues)) {
      out.push_back(first);
      ++i;
      continue;
    }
    char32_t point = first & (0x3FU >> more);
    for (const char c : rest) point = point << 6U | (static_cast<unsigned char>(c) & 0x3FU);
    out.push_back(point);
    i += 1 + more;
  }
  return out;
}

std::size_t edit_distance(std::string_view left, std::string_view right) {
  return edit_distance(code_points(left), code_points(right));
}

std::size_t edit_distance(std::u32string_view left, std::u32string_view right) {
  std::vector<std::vector<std::size_t>> cost(left.size() + 1, std::vector<std::size_t>(right.size() + 1));
  for (std::size_t i = 0; i <= left.size(); ++i) {
    for (std::size_t k = 0; k <= right.size(); ++k) {
      if (i == 0 || k == 0) {
        cost[i][k] = i + k;
        continue;
      }
      const bool same = lower(left[i - 1]) == lower(right[k - 1]);
      cost[i][k] = std::min({cost[i - 1][k] + 1, cost[i][k - 1] + 1, cost[i - 1][k - 1] + (same ? 0 : 1)});
      const bool swapped =
          i > 1 && k > 1 && lower(left[i - 1]) == lower(right[k - 2]) && lower(left[i - 2]) == lower(right[k - 1]);
      if (swapped) cost[i][k] = std::min(cost[i][k], cost[i - 2][k - 2] + 1);
    }
  }
  return cost[left.size()][right.size()];
}

std::string_view nearest_name(std::span<const std::string_view> candidates, std::string_view wanted) {
  std::string_view best;
  if (wanted.size() > kLongest) return best;
  Letters letters{};
  count_letters(wanted, letters, 1);
  std::size_t least = kFarthest;
  for (const std::string_view candidate : candidates) {
    const std::size_t difference =
        candidate.size() > wanted.size() ? candidate.size() - wanted.size() : wanted.size() - candidate.size();
    if (difference >= least) continue;
    // An edit changes two counts: most names are told apart by that, without a table of distances.
    if (difference_of(letters, candidate) > 2 * (least - 1)) continue;
    const std::size_t far = edit_distance(wanted, candidate);
    if (far >= least || far * 2 >= candidate.size() + 1) continue;
    least = far;
    best = candidate;
  }
  return best;
}

std::string name_hint(std::span<const std::string_view> candidates, std::string_view wanted, std::string otherwise) {
  const std::string_view near = nearest_name(candidates, wanted);
  return near.empty() ? std::move(otherwise) : "did you mean '" + std::string(near) + "'?";
}

}  // namespace strata
