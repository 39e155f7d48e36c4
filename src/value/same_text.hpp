// SPDX-License-Identifier: Apache-2.0
// Comparing and copying short texts without calls.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace strata::detail {

/// The same as `left == right`, but without a call for texts as short as keys.
[[nodiscard]] inline bool same_text(std::string_view left, std::string_view right) noexcept {
  const std::size_t size = left.size();
  if (size != right.size()) return false;
  // The first and the last bytes, which may overlap.
  const auto same_ends = [&]<class Word>(Word a) {
    Word b = 0;
    Word c = 0;
    Word d = 0;
    std::memcpy(&a, left.data(), sizeof a);
    std::memcpy(&b, right.data(), sizeof b);
    std::memcpy(&c, left.data() + size - sizeof c, sizeof c);
    std::memcpy(&d, right.data() + size - sizeof d, sizeof d);
    return a == b && c == d;
  };
  if (size > 2 * sizeof(std::uint64_t)) return std::memcmp(left.data(), right.data(), size) == 0;
  if (size >= sizeof(std::uint64_t)) return same_ends(std::uint64_t{});
  if (size >= sizeof(std::uint32_t)) return same_ends(std::uint32_t{});
  if (size >= sizeof(std::uint16_t)) return same_ends(std::uint16_t{});
  return size == 0 || left.front() == right.front();
}

/// Copies bytes, without a call for as few as most scalars have. The ranges do not overlap.
inline void copy_text(char* to, std::string_view from) noexcept {
  const std::size_t size = from.size();
  const auto copy_ends = [&]<class Word>(Word first) {
    Word last{};
    std::memcpy(&first, from.data(), sizeof first);
    std::memcpy(&last, from.data() + size - sizeof last, sizeof last);
    std::memcpy(to, &first, sizeof first);
    std::memcpy(to + size - sizeof last, &last, sizeof last);
  };
  if (size > 4 * sizeof(std::uint64_t)) {
    std::memcpy(to, from.data(), size);
  } else if (size > 2 * sizeof(std::uint64_t)) {
    copy_ends(std::array<std::uint64_t, 2>{});
  } else if (size >= sizeof(std::uint64_t)) {
    copy_ends(std::uint64_t{});
  } else if (size >= sizeof(std::uint32_t)) {
    copy_ends(std::uint32_t{});
  } else {
    for (std::size_t i = 0; i < size; ++i) to[i] = from[i];
  }
}

}  // namespace strata::detail
