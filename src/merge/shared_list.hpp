// A list from which items are struck out while it is walked. docs/merge.md, "Knocking out".
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "knockout.hpp"

namespace strata::merge {

/// Told of each item that is struck out: the place that is read, the item, and what strikes it out.
using Struck = std::function<void(std::size_t read, const Traced& item, const Traced& by)>;

/// What deep_merge leaves of a list that is the same on both sides: walked from the front, each item that stays is written where the next one
/// belongs; an item with the prefix strikes out its target and its equals wherever they stand, which moves the rest under the walker's feet. At the
/// end what lies between the places written and read is lost. Cost: O(n log n).
[[nodiscard]] std::vector<Traced> knocked_out_of_itself(const std::vector<Traced>& items, const Knockout& knockout, const Struck& struck);

}  // namespace strata::merge
