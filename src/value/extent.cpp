// SPDX-License-Identifier: Apache-2.0
#include "value/extent.hpp"

#include <algorithm>

namespace strata {

// Recursion: bounded by `levels`.
bool fits(const Value& value, std::size_t levels, std::size_t& nodes) {
  if (nodes == 0) return false;
  --nodes;
  if (!value.is_container()) return true;
  if (levels == 0) return false;
  if (value.is_sequence())
    return std::ranges::all_of(value.items(), [&](const Value& item) { return fits(item, levels - 1, nodes); });
  return std::ranges::all_of(value.entries(), [&](const Entry& entry) { return fits(entry.value, levels - 1, nodes); });
}

}  // namespace strata
