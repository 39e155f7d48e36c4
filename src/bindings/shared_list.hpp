// SPDX-License-Identifier: Apache-2.0
// Lists that differ in a few items.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace strata::bindings {

/// Items that never change. Lists that are made from each other share them, a piece at a time: to make one with other
/// items at a few places costs some bytes a piece, and the pieces of those places.
template <class Item>
class SharedList {
 public:
  SharedList() = default;
  explicit SharedList(std::vector<Item> items) : size_(items.size()) {
    pieces_.reserve((size_ + kPiece - 1) / kPiece);
    for (std::size_t begin = 0; begin < size_; begin += kPiece) {
      auto piece = std::make_shared<Piece>();
      std::move(items.begin() + static_cast<std::ptrdiff_t>(begin),
                items.begin() + static_cast<std::ptrdiff_t>(std::min(size_, begin + kPiece)), piece->begin());
      pieces_.push_back(std::move(piece));
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] const Item& operator[](std::size_t place) const noexcept {
    return (*pieces_[place / kPiece])[place % kPiece];
  }
  /// Calls `use(place)` for each place where `other`, a list of the same size, has another item. False once `use`
  /// returned false. Cost: a comparison for each shared piece, and for each item of the others.
  template <class Use>
  bool for_each_difference(const SharedList& other, const Use& use) const {
    for (std::size_t number = 0; number < pieces_.size(); ++number) {
      if (pieces_[number] == other.pieces_[number]) continue;
      const std::size_t end = std::min(size_, (number + 1) * kPiece);
      for (std::size_t place = number * kPiece; place < end; ++place) {
        if ((*this)[place] != other[place] && !use(place)) return false;
      }
    }
    return true;
  }
  /// The list with other items at the given places, which rise.
  [[nodiscard]] SharedList with(std::vector<std::pair<std::size_t, Item>> items) const {
    SharedList out = *this;
    for (auto next = items.begin(); next != items.end();) {
      const std::size_t number = next->first / kPiece;
      auto piece = std::make_shared<Piece>(*pieces_[number]);
      for (; next != items.end() && next->first / kPiece == number; ++next)
        (*piece)[next->first % kPiece] = std::move(next->second);
      out.pieces_[number] = std::move(piece);
    }
    return out;
  }

 private:
  static constexpr std::size_t kPiece = 16;
  using Piece = std::array<Item, kPiece>;
  std::vector<std::shared_ptr<const Piece>> pieces_;
  std::size_t size_ = 0;
};

}  // namespace strata::bindings
