// SPDX-License-Identifier: Apache-2.0
#include "heat/secret_names.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace strata::heat {
namespace {

constexpr std::array<std::string_view, 13> kSecretWords{"password", "passwd",      "passphrase", "_pass",   "adminpass",
                                                        "secret",   "token",       "credential", "authkey", "apikey",
                                                        "api_key",  "private_key", "privatekey"};

constexpr std::size_t kLongest = std::ranges::max(kSecretWords, {}, &std::string_view::size).size();

/// Two letters beside each other. One of these is in each word.
constexpr std::array<std::string_view, 4> kPairs{"ss", "cr", "ok", "ey"};
static_assert(std::ranges::all_of(kSecretWords, [](std::string_view word) {
  return std::ranges::any_of(kPairs,
                             [word](std::string_view pair) { return word.find(pair) != std::string_view::npos; });
}));

constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// A number for two characters, the same for small and for capital letters.
constexpr std::size_t pair_of(char first, char second) noexcept {
  constexpr unsigned kBits = 5;
  constexpr unsigned kLow = (1U << kBits) - 1;
  return (static_cast<unsigned char>(first) & kLow) << kBits | (static_cast<unsigned char>(second) & kLow);
}

/// By the first two characters of a text: whether a word may begin there.
constexpr auto kBegins = [] {
  std::array<bool, 1024> begins{};
  for (const std::string_view word : kSecretWords) begins[pair_of(word[0], word[1])] = true;
  return begins;
}();

bool begins_with_word(std::string_view text) noexcept {
  const auto same = [](char left, char right) { return lower(left) == right; };
  return std::ranges::any_of(kSecretWords, [&](std::string_view word) {
    return text.size() >= word.size() &&
           std::equal(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(word.size()), word.begin(), same);
  });
}

bool has_word(std::string_view text) noexcept {
  for (; text.size() >= 2; text.remove_prefix(1)) {
    if (kBegins[pair_of(text[0], text[1])] && begins_with_word(text)) return true;
  }
  return false;
}

constexpr std::size_t kBlock = 64;

/// Whether one of the pairs begins in a block. No branches, and bytes alone: compilers make vector instructions of it.
bool has_pair(const char* block) noexcept {
  std::uint8_t found = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    // Small letters, and what else comes to the same: too much is found at the worst.
    const auto first = static_cast<std::uint8_t>(static_cast<std::uint8_t>(block[i]) | 0x20U);
    const auto second = static_cast<std::uint8_t>(static_cast<std::uint8_t>(block[i + 1]) | 0x20U);
    const auto is = [&](std::string_view pair) {
      return static_cast<std::uint8_t>((first ^ static_cast<std::uint8_t>(pair[0])) |
                                       (second ^ static_cast<std::uint8_t>(pair[1]))) == 0
                 ? 1U
                 : 0U;
    };
    found = static_cast<std::uint8_t>(found | is(kPairs[0]) | is(kPairs[1]) | is(kPairs[2]) | is(kPairs[3]));
  }
  return found != 0;
}

}  // namespace

bool sounds_secret(std::string_view text) {
  std::size_t at = 0;
  for (; at + kBlock < text.size(); at += kBlock) {
    if (!has_pair(text.data() + at)) continue;
    // Where a word is around the pair, it begins and ends near the block.
    const std::size_t begin = at - std::min(at, kLongest);
    if (has_word(text.substr(begin, at - begin + kBlock + kLongest))) return true;
  }
  return has_word(text.substr(at - std::min(at, kLongest)));
}

}  // namespace strata::heat
