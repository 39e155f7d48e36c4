// SPDX-License-Identifier: Apache-2.0
// Keys as numbers.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace strata::bindings {

/// (type part, name); the type part is empty for the Data name space.
struct KeyText {
  std::string_view type;
  std::string_view name;
  friend bool operator==(const KeyText&, const KeyText&) = default;
};

/// Numbers keys from `first` on. Their texts must outlive it. Cost: O(1) amortised.
class KeyTable {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  explicit KeyTable(std::uint32_t first = 0) : first_(first) {}
  void reserve(std::size_t count);
  /// kNone if it is missing.
  [[nodiscard]] std::uint32_t find(const KeyText& key, std::uint32_t hash) const noexcept;
  [[nodiscard]] std::uint32_t intern(const KeyText& key, std::uint32_t hash);
  [[nodiscard]] const KeyText& operator[](std::uint32_t key) const noexcept { return keys_[key - first_].text; }
  [[nodiscard]] std::uint32_t first() const noexcept { return first_; }
  /// The last number plus one.
  [[nodiscard]] std::uint32_t end() const noexcept { return first_ + static_cast<std::uint32_t>(keys_.size()); }

 private:
  struct Kept {
    KeyText text;
    std::uint32_t hash;
  };
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number = kNone;
  };
  void rehash(std::size_t size);

  std::uint32_t first_;
  std::vector<Kept> keys_;
  std::vector<Slot> slots_;  ///< A power of two, at most half full.
};

}  // namespace strata::bindings
