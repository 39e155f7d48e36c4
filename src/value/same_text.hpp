// Fast equality of short texts.
#pragma once

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

}  // namespace strata::detail
