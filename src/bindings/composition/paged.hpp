// SPDX-License-Identifier: Apache-2.0
// A sparse table of values by number.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace strata::bindings {

/// Values by number. A page of values is made, by default constructors, when one of them is first used. Addresses are
/// stable.
template <class Value>
class Paged {
 public:
  [[nodiscard]] Value& operator[](std::uint32_t number) {
    const std::size_t page = number / kPage;
    if (page >= pages_.size()) pages_.resize(page + 1);
    if (!pages_[page]) pages_[page] = std::make_unique<Page>();
    return (*pages_[page])[number % kPage];
  }
  /// Null if the value was not made.
  [[nodiscard]] const Value* find(std::uint32_t number) const noexcept {
    const std::size_t page = number / kPage;
    return page < pages_.size() && pages_[page] ? &(*pages_[page])[number % kPage] : nullptr;
  }
  void clear() noexcept { pages_.clear(); }

 private:
  static constexpr std::size_t kPage = 64;
  using Page = std::array<Value, kPage>;
  std::vector<std::unique_ptr<Page>> pages_;
};

}  // namespace strata::bindings
