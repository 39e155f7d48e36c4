// SPDX-License-Identifier: Apache-2.0
// Ranges of numbers that can be leased and returned.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace strata::detail {

/// The numbers in [first, end). A returned range is reused only after the search has gone round once, so that a stale
/// number refers to nothing for as long as possible. Not thread-safe.
class Ranges {
 public:
  Ranges(std::uint32_t first, std::uint32_t end) : free_{{first, end - first}}, next_(first) {}

  /// Leases a range of `size` (at least 1) numbers and returns its first number. No value if no hole is large enough.
  /// Cost: O(holes) at worst.
  [[nodiscard]] std::optional<std::uint32_t> lease(std::uint32_t size) {
    auto hole = free_.upper_bound(next_);
    if (hole != free_.begin() && end_of(*std::prev(hole)) > next_) {
      const auto around = std::prev(hole);
      if (end_of(*around) - next_ >= size) return take(around, next_, size);
    }
    for (; hole != free_.end(); ++hole) {
      if (hole->second >= size) return take(hole, hole->first, size);
    }
    for (hole = free_.begin(); hole != free_.end(); ++hole) {
      if (hole->second >= size) return take(hole, hole->first, size);
    }
    return std::nullopt;
  }

  /// Returns a range, with `first` and `size` as leased.
  void give_back(std::uint32_t first, std::uint32_t size) {
    auto after = free_.upper_bound(first);
    if (after != free_.end() && after->first == first + size) {
      size += after->second;
      after = free_.erase(after);
    }
    if (after != free_.begin() && end_of(*std::prev(after)) == first) {
      std::prev(after)->second += size;
    } else {
      free_.emplace_hint(after, first, size);
    }
  }

 private:
  using Holes = std::map<std::uint32_t, std::uint32_t>;  ///< First number and size. No two are adjacent.

  [[nodiscard]] static std::uint32_t end_of(const Holes::value_type& hole) noexcept { return hole.first + hole.second; }

  std::uint32_t take(Holes::iterator hole, std::uint32_t first, std::uint32_t size) {
    const std::uint32_t before = first - hole->first;
    const std::uint32_t behind = hole->second - before - size;
    const auto after = std::next(hole);
    if (before == 0) {
      free_.erase(hole);
    } else {
      hole->second = before;
    }
    next_ = first + size;
    if (behind != 0) free_.emplace_hint(after, next_, behind);
    return first;
  }

  Holes free_;
  std::uint32_t next_;  ///< Where the search begins.
};

}  // namespace strata::detail
