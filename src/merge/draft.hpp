// SPDX-License-Identifier: Apache-2.0
// A fold that is looked at before everything is merged.
#pragma once

#include <cstddef>

#include "strata/merge.hpp"
#include "value/metered.hpp"

namespace strata::merge {

/// A fold of numbered layers that goes on as more are known. It has memory of its own, and nobody keeps its history.
class Draft {
 public:
  /// `first`: the number of the first layer. Sources and limits must outlive it.
  Draft(const Sources& sources, const Limits& limits, std::size_t first)
      : nothing_(sources), merged_(arena_, limits, nothing_), metered_(arena_, limits.stop), next_(first) {}

  [[nodiscard]] Accumulator& merged() noexcept { return merged_; }
  /// The value of all layers before `end`. `add(merged, number)` merges one. Valid until the next call.
  template <typename Add>
  [[nodiscard]] const Value& until(std::size_t end, const Add& add) {
    for (; next_ < end; ++next_) add(merged_, next_);
    return merged_.current().value;
  }

 private:
  Arena arena_;
  NullRecorder nothing_;
  Accumulator merged_;
  Metered metered_;
  std::size_t next_;
};

}  // namespace strata::merge
