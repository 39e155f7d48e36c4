// SPDX-License-Identifier: Apache-2.0
#include "service/buckets/sequence_matcher.hpp"

#include <algorithm>
#include <unordered_map>

namespace strata::service::buckets {
namespace {

struct Match {
  std::size_t first, second, size;
};
struct Area {
  std::size_t first_from, first_to, second_from, second_to;
};

class Matcher {
 public:
  Matcher(std::span<const std::uint32_t> first, std::span<const std::uint32_t> second, StopCheck& stop)
      : first_(first), second_(second), stop_(stop), lengths_(second.size() + 1), next_(second.size() + 1) {
    for (std::size_t i = 0; i < second.size(); ++i) places_[second[i]].push_back(i);
  }

  std::vector<Match> matches() {
    std::vector<Match> out;
    std::vector<Area> areas{{0, first_.size(), 0, second_.size()}};
    while (!areas.empty()) {
      const Area area = areas.back();
      areas.pop_back();
      const Match found = longest(area);
      if (found.size == 0) continue;
      out.push_back(found);
      if (area.first_from < found.first && area.second_from < found.second) {
        areas.push_back({area.first_from, found.first, area.second_from, found.second});
      }
      if (found.first + found.size < area.first_to && found.second + found.size < area.second_to) {
        areas.push_back({found.first + found.size, area.first_to, found.second + found.size, area.second_to});
      }
    }
    std::ranges::sort(out, {}, &Match::first);
    return out;
  }

 private:
  /// The longest part that both areas have; the first one in the first list, and of these the first in the second list.
  Match longest(const Area& area) {
    Match best{area.first_from, area.second_from, 0};
    std::vector<std::size_t> used;
    std::vector<std::size_t> used_next;
    for (std::size_t i = area.first_from; i < area.first_to; ++i) {
      used_next.clear();
      if (const auto places = places_.find(first_[i]); places != places_.end()) {
        for (const std::size_t j : places->second) {
          stop_.tick();
          if (j < area.second_from) continue;
          if (j >= area.second_to) break;
          const std::size_t size = lengths_[j] + 1;  // `lengths_[j]` is of the match that ends before j.
          next_[j + 1] = size;
          used_next.push_back(j + 1);
          if (size > best.size) best = {i + 1 - size, j + 1 - size, size};
        }
      }
      for (const std::size_t j : used) lengths_[j] = 0;
      for (const std::size_t j : used_next) lengths_[j] = next_[j];
      used.swap(used_next);
    }
    for (const std::size_t j : used) lengths_[j] = 0;
    return best;
  }

  std::span<const std::uint32_t> first_;
  std::span<const std::uint32_t> second_;
  StopCheck& stop_;
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> places_;  ///< In the second list.
  std::vector<std::size_t> lengths_;  ///< Of matches that end before an index of the second list.
  std::vector<std::size_t> next_;
};

}  // namespace

std::vector<Opcode> opcodes(std::span<const std::uint32_t> first, std::span<const std::uint32_t> second,
                            StopCheck& stop) {
  std::vector<Opcode> out;
  std::size_t i = 0;
  std::size_t j = 0;
  std::vector<Match> matches = Matcher(first, second, stop).matches();
  matches.push_back({first.size(), second.size(), 0});
  for (const Match& match : matches) {
    if (i < match.first || j < match.second) out.push_back({i, match.first, j, match.second, false});
    i = match.first + match.size;
    j = match.second + match.size;
    if (match.size == 0) continue;
    if (!out.empty() && out.back().is_equal && out.back().first_to == match.first &&
        out.back().second_to == match.second) {
      out.back().first_to = i;
      out.back().second_to = j;
    } else {
      out.push_back({match.first, i, match.second, j, true});
    }
  }
  return out;
}

}  // namespace strata::service::buckets
