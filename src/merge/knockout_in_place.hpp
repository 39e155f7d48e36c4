// Knocking items out of the list that is being walked. docs/internals/merge.md, "Knocking out".
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "knockout.hpp"
#include "strata/stop.hpp"

namespace strata::merge {

/// Told of each item that is struck out: the place that is read, the item, and what strikes it out.
using Struck = std::function<void(std::size_t read, const Traced& item, const Traced& by)>;

/// What deep_merge leaves of a list that is the same on both sides: walked from the front, each item that stays is written where the next one
/// belongs; an item with the prefix strikes out its target and its equals wherever they stand, which moves the rest under the walker's feet. At the
/// end what lies between the places written and read is lost. Cost: O(n log n). Errors: as StopCheck::tick.
[[nodiscard]] std::vector<Traced> knock_out_in_place(const std::vector<Traced>& items, const Knockout& knockout, StopCheck& stop,
                                                     const Struck& struck);

}  // namespace strata::merge
