// SPDX-License-Identifier: Apache-2.0
// A list that grows at its end while others read it without a lock.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <cstddef>
#include <memory>

namespace strata::detail {

/// Elements never move and are never removed. Thread safety: one writer (writers use their own lock) and any number of
/// readers. An element may be read once its index was returned by `push`.
template <class Element>
class AppendOnly {
 public:
  AppendOnly() = default;
  AppendOnly(const AppendOnly&) = delete;
  AppendOnly& operator=(const AppendOnly&) = delete;
  ~AppendOnly() {
    for (std::atomic<Element*>& block : blocks_) delete[] block.load(std::memory_order_relaxed);
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_.load(std::memory_order_acquire); }

  /// Adds an element and returns its index.
  std::size_t push(Element element) {
    const std::size_t index = size_.load(std::memory_order_relaxed);
    const auto [block, offset] = locate(index);
    if (offset == 0) blocks_[block].store(new Element[kFirst << block], std::memory_order_release);
    blocks_[block].load(std::memory_order_relaxed)[offset] = std::move(element);
    size_.store(index + 1, std::memory_order_release);
    return index;
  }

  [[nodiscard]] const Element& operator[](std::size_t index) const noexcept {
    assert(index < size());
    const auto [block, offset] = locate(index);
    return blocks_[block].load(std::memory_order_acquire)[offset];
  }

 private:
  static constexpr std::size_t kFirst =
      16;  ///< The size of the first block. Each block is twice as large as the one before.

  struct Position {
    std::size_t block;
    std::size_t offset;
  };
  [[nodiscard]] static Position locate(std::size_t index) noexcept {
    const std::size_t block = static_cast<std::size_t>(std::bit_width((index / kFirst + 1) / 2));
    return {.block = block, .offset = index - ((std::size_t{1} << block) - 1) * kFirst};
  }

  std::array<std::atomic<Element*>, 40> blocks_{};
  std::atomic<std::size_t> size_ = 0;
};

}  // namespace strata::detail
