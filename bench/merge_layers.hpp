// SPDX-License-Identifier: Apache-2.0
// Layers of a fleet's size, the same for a seed everywhere.
#pragma once

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

namespace strata::bench {

/// `count` layers of `leaves` leaves each (a multiple of 1000), drawn from 2 * leaves paths of four keys, so that about
/// half of a layer's leaves override an earlier one. Leaves: 40 % integers, 30 % short texts, 10 % booleans, 10 %
/// floats, 10 % lists of three texts.
class Layers {
 public:
  explicit Layers(std::uint64_t seed) : random_(seed) {}

  std::vector<nlohmann::json> make(std::size_t count, std::size_t leaves) {
    std::vector<std::size_t> universe(2 * leaves);
    for (std::size_t i = 0; i < universe.size(); ++i) universe[i] = i;
    std::vector<nlohmann::json> layers;
    for (std::size_t n = 0; n < count; ++n) {
      for (std::size_t i = universe.size() - 1; i > 0; --i) std::swap(universe[i], universe[below(i + 1)]);
      nlohmann::json layer = nlohmann::json::object();
      const std::size_t keys = leaves / 1000;
      for (std::size_t i = 0; i < leaves; ++i) {
        std::size_t rest = universe[i];
        const std::string last = name('k', rest % keys);
        rest /= keys;
        layer[name('d', rest / 100)][name('s', rest / 10 % 10)][name('g', rest % 10)][last] = leaf();
      }
      layers.push_back(std::move(layer));
    }
    return layers;
  }

 private:
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

  static std::string name(char level, std::size_t number) {
    std::string digits = std::to_string(number);
    return level + std::string(3 - std::min<std::size_t>(digits.size(), 3), '0') + digits;
  }

  nlohmann::json leaf() {
    const std::uint64_t kind = below(10);
    if (kind < 4) return below(std::uint64_t{1} << 31U);
    if (kind < 7) {
      std::string text(6 + below(19), ' ');
      for (char& c : text) c = static_cast<char>('a' + below(26));
      return text;
    }
    if (kind < 8) return below(2) == 0;
    if (kind < 9) return static_cast<double>(below(1'000'000)) / 1000 + 0.0005;
    nlohmann::json items = nlohmann::json::array();
    for (int i = 0; i < 3; ++i) items.push_back("item" + std::to_string(10000 + below(90000)));
    return items;
  }

  std::mt19937_64 random_;
};

}  // namespace strata::bench
