// SPDX-License-Identifier: Apache-2.0
// Knocks items out of a list while it is being walked. docs/internals/merge.md, "Knocking out".
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "knockout.hpp"
#include "strata/stop.hpp"

namespace strata::merge {

/// Called once for each item that goes. `index`: the one being read; of a lost item, its own. `item`: absent if `by`
/// knocks nothing out but itself. `by`: what knocks it out; absent if nothing does, and the walk loses it.
using Struck = std::function<void(std::size_t index, const Traced& item, const Traced& by)>;

/// What deep_merge leaves of a list that is the same on both sides. The list is walked from the front, and each
/// remaining item is written to the next free index. An item with the prefix removes its target and all equal items at
/// any index, which moves later items while they are being walked. At the end, items between the write index and the
/// read index are lost. Cost: O(n log n). Errors: as StopCheck::tick.
[[nodiscard]] std::vector<Traced> knock_out_in_place(const std::vector<Traced>& items, const Knockout& knockout,
                                                     StopCheck& stop, const Struck& struck);

}  // namespace strata::merge
