// SPDX-License-Identifier: Apache-2.0
// Counts a text that grows by appending for the work of the thread.
#pragma once

#include <algorithm>
#include <cstddef>

#include "strata/stop_scope.hpp"
#include "value/charge.hpp"

namespace strata::detail {

/// A large text is counted when it begins and when it has doubled, which is when it moves.
class GrowthCharge {
 public:
  /// `size`: of the text so far, which is not counted.
  explicit GrowthCharge(std::size_t size = 0) noexcept : next_(size + kStep), counted_(std::max(2 * size, kLeast)) {}
  /// Called after each piece with the size of the text. Errors: as Stop::check.
  void look(std::size_t size) {
    if (size < next_) return;
    next_ = size + kStep;
    check_stop(StopScope::stop());
    if (size < counted_) return;
    counted_ = 2 * size;
    charge(StopScope::stop(), counted_);
  }

 private:
  static constexpr std::size_t kStep = std::size_t{1} << 16U;
  static constexpr std::size_t kLeast = std::size_t{1} << 24U;  ///< Smaller ones live for a moment.
  std::size_t next_;
  std::size_t counted_;
};

}  // namespace strata::detail
