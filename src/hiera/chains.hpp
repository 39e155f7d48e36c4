// SPDX-License-Identifier: Apache-2.0
// Numbers for sequences.
#pragma once

#include <cstdint>
#include <unordered_map>

namespace strata::hiera {

/// Numbers the sequences of steps: equal sequences have equal numbers, others have others. No number is given for two
/// sequences.
class Chains {
 public:
  static constexpr std::uint64_t kEmpty = 0;

  /// The number of the sequence `from` with one more step.
  [[nodiscard]] std::uint64_t next(std::uint64_t from, std::uint64_t step) {
    constexpr std::size_t kMost = std::size_t{1} << 18U;
    // Sequences that are forgotten get new numbers.
    if (known_.size() >= kMost) known_.clear();
    const auto [known, is_new] = known_.try_emplace(Step{.from = from, .step = step}, last_ + 1);
    if (is_new) ++last_;
    return known->second;
  }

 private:
  struct Step {
    std::uint64_t from;
    std::uint64_t step;
    bool operator==(const Step&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Step& one) const noexcept {
      constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15ULL;
      constexpr unsigned kHalf = 32;
      const std::uint64_t mixed = (one.from * kOdd ^ one.step) * kOdd;
      return mixed ^ mixed >> kHalf;
    }
  };
  std::unordered_map<Step, std::uint64_t, Hash> known_;
  std::uint64_t last_ = kEmpty;
};

}  // namespace strata::hiera
