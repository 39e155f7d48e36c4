// SPDX-License-Identifier: Apache-2.0
// Converts the nodes of a History to the contributions of a path.
#pragma once

#include <span>
#include <vector>

#include "strata/merge.hpp"

namespace strata::merge {

using Steps = std::span<const Path::Step>;

/// Whether its value is the leaf, or a part of it.
[[nodiscard]] inline bool counts(const Contribution& one) noexcept {
  return one.fate == Fate::won || one.fate == Fate::merged;
}
/// Whether a value has something at a path.
[[nodiscard]] bool leads(Value value, Steps path);

/// All contributions on the way to a path below `traced`, with their fates. Cost: O(meetings at the places on the way).
[[nodiscard]] std::vector<Contribution> contributions_of(const Traced& traced, Steps path);

}  // namespace strata::merge
