// SPDX-License-Identifier: Apache-2.0
// The place that somebody wishes to have a value.
#pragma once

#include <string>
#include <vector>

#include "strata/proposals.hpp"

namespace strata::analysis::proposing {

/// The place that is wished for, in results.
class Goal {
 public:
  /// `wish` must outlive the object. Error `pointer.syntax`.
  explicit Goal(const Wish& wish);

  /// In files.
  [[nodiscard]] const std::string& pointer() const noexcept { return pointer_; }
  [[nodiscard]] const Wish& wish() const noexcept { return wish_; }

  /// The value there. Absent: there is none.
  [[nodiscard]] Value found_in(const Outcome& outcome) const;
  /// The value of the nearest place above it.
  [[nodiscard]] Value found_above(const Outcome& outcome) const;
  [[nodiscard]] bool holds(const Outcome& outcome) const;
  /// Whether more changes than the place.
  [[nodiscard]] bool is_outside(const Change& change, const Outcome& after) const;

 private:
  [[nodiscard]] bool holds_alone(const Outcome& outcome) const { return outcome.items.front().name == wish_.item; }

  const Wish& wish_;
  std::vector<std::string> below_;
  std::vector<std::string> whole_;
  std::string pointer_;
};

}  // namespace strata::analysis::proposing
