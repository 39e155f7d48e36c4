// SPDX-License-Identifier: Apache-2.0
// Hashes for tables whose keys come from input: seeded once per process, so that nobody can choose colliding keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace strata {
namespace detail {

struct HashSeed {
  std::uint64_t start;
  std::uint64_t factor;  ///< Odd.
};
/// Random. Set before other static objects are made.
extern const HashSeed hash_seed;

/// Mixes both halves of the product: every bit of `bits` matters, in a way that the secret factor hides.
[[nodiscard]] inline std::uint64_t mix_bits(std::uint64_t bits) noexcept {
  const auto product = static_cast<unsigned __int128>(bits) * hash_seed.factor;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

/// The bytes at `data`, fewer than eight, as a number: different ones for different bytes of the same size. Without a
/// call, as keys are short.
[[nodiscard]] inline std::uint64_t last_bytes(const char* data, std::size_t size) noexcept {
  if (size >= sizeof(std::uint32_t)) {
    // The first and the last four, which may overlap.
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::memcpy(&first, data, sizeof first);
    std::memcpy(&last, data + size - sizeof last, sizeof last);
    return static_cast<std::uint64_t>(first) << 32U | last;
  }
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < size; ++i) number = number << 8U | static_cast<unsigned char>(data[i]);
  return number;
}

}  // namespace detail

[[nodiscard]] inline std::uint64_t seeded_hash(std::uint64_t number) noexcept {
  return detail::mix_bits(number ^ detail::hash_seed.start);
}

[[nodiscard]] inline std::uint64_t seeded_hash(std::string_view text) noexcept {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  std::uint64_t hash = detail::hash_seed.start ^ text.size();
  const char* data = text.data();
  std::size_t left = text.size();
  for (; left >= kWord; left -= kWord, data += kWord) {
    std::uint64_t word = 0;
    std::memcpy(&word, data, kWord);
    hash = detail::mix_bits(hash ^ word);
  }
  return detail::mix_bits(hash ^ detail::last_bytes(data, left));
}

struct TextHash {
  using is_transparent = void;  // NOLINT(readability-identifier-naming): the library's
  std::size_t operator()(std::string_view text) const noexcept { return seeded_hash(text); }
};

// Iteration order differs between processes: it must not be visible.
template <class Mapped>
using TextMap = std::unordered_map<std::string, Mapped, TextHash, std::equal_to<>>;
template <class Mapped>
using TextViewMap = std::unordered_map<std::string_view, Mapped, TextHash, std::equal_to<>>;
using TextSet = std::unordered_set<std::string, TextHash, std::equal_to<>>;
using TextViewSet = std::unordered_set<std::string_view, TextHash, std::equal_to<>>;

}  // namespace strata
