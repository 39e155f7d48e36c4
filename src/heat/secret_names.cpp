#include "heat/secret_names.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace strata::heat {
namespace {

constexpr std::array<std::string_view, 13> kWords{"password",   "passwd",  "passphrase", "_pass",   "adminpass",   "secret",    "token",
                                                  "credential", "authkey", "apikey",     "api_key", "private_key", "privatekey"};

constexpr std::size_t kShortest = std::ranges::min(kWords, {}, &std::string_view::size).size();

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// A number for two characters, the same for small and for capital letters.
constexpr std::size_t pair_of(char first, char second) noexcept {
  constexpr unsigned kBits = 5;
  constexpr unsigned kLow = (1U << kBits) - 1;
  return static_cast<std::size_t>((static_cast<unsigned char>(first) & kLow) << kBits | (static_cast<unsigned char>(second) & kLow));
}

/// By what stands at the end of a window as long as the shortest word: how far it can move on without missing the beginning of a word (Wu, Manber).
/// Whole files are searched: most of their bytes are never looked at.
constexpr auto kSteps = [] {
  std::array<std::uint8_t, 1024> steps{};
  steps.fill(kShortest - 1);
  for (const std::string_view word : kWords) {
    for (std::size_t i = 1; i < kShortest; ++i) {
      std::uint8_t& step = steps[pair_of(word[i - 1], word[i])];
      step = std::min(step, static_cast<std::uint8_t>(kShortest - 1 - i));
    }
  }
  return steps;
}();

bool begins_with_word(std::string_view text) noexcept {
  const auto same = [](char left, char right) { return lower(left) == right; };
  return std::ranges::any_of(kWords, [&](std::string_view word) {
    return text.size() >= word.size() && std::equal(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(word.size()), word.begin(), same);
  });
}

}  // namespace

bool sounds_secret(std::string_view text) {
  for (std::size_t last = kShortest - 1; last < text.size();) {
    const std::size_t step = kSteps[pair_of(text[last - 1], text[last])];
    if (step == 0 && begins_with_word(text.substr(last + 1 - kShortest))) return true;
    last += std::max<std::size_t>(step, 1);
  }
  return false;
}

}  // namespace strata::heat
