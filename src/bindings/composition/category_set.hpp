// SPDX-License-Identifier: Apache-2.0
// Sets of categories, ordered by precedence.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace strata::bindings {

/// A set of category numbers; the highest category has the highest number. Sets compare as precedence vectors: sorted
/// descending, the first difference decides, and a longer set is above its prefix. That is how numbers with these bits
/// compare.
class CategorySet {
 public:
  void add(std::size_t number) {
    if (number < kBits) {
      low_ |= std::uint64_t{1} << number;
      return;
    }
    const std::size_t word = number / kBits - 1;
    if (high_.size() <= word) high_.resize(word + 1);
    high_[word] |= std::uint64_t{1} << (number % kBits);
  }
  void add(const CategorySet& other) {
    low_ |= other.low_;
    if (high_.size() < other.high_.size()) high_.resize(other.high_.size());
    for (std::size_t i = 0; i < other.high_.size(); ++i) high_[i] |= other.high_[i];
  }
  [[nodiscard]] bool contains(std::size_t number) const noexcept {
    if (number < kBits) return (low_ >> number & 1U) != 0;
    const std::size_t word = number / kBits - 1;
    return word < high_.size() && (high_[word] >> (number % kBits) & 1U) != 0;
  }
  [[nodiscard]] bool contains(const CategorySet& other) const noexcept {
    if ((other.low_ & ~low_) != 0) return false;
    for (std::size_t i = 0; i < other.high_.size(); ++i) {
      if ((other.high_[i] & ~(i < high_.size() ? high_[i] : 0)) != 0) return false;
    }
    return true;
  }
  [[nodiscard]] bool empty() const noexcept { return low_ == 0 && high_.empty(); }

  friend std::strong_ordering operator<=>(const CategorySet& left, const CategorySet& right) noexcept {
    if (left.high_.size() != right.high_.size())
      return left.high_.size() <=> right.high_.size();  // The last word is never 0.
    for (std::size_t i = left.high_.size(); i-- > 0;) {
      if (left.high_[i] != right.high_[i]) return left.high_[i] <=> right.high_[i];
    }
    return left.low_ <=> right.low_;
  }
  friend bool operator==(const CategorySet& left, const CategorySet& right) noexcept {
    return (left <=> right) == std::strong_ordering::equal;
  }

 private:
  static constexpr std::size_t kBits = 64;
  std::uint64_t low_ = 0;
  std::vector<std::uint64_t> high_;  ///< Beyond the first 64; its last word is not 0.
};

}  // namespace strata::bindings
