// SPDX-License-Identifier: Apache-2.0
// Counts what a piece of work is about to take.
#pragma once

#include <algorithm>
#include <cstddef>

#include "strata/stop.hpp"

namespace strata::detail {

/// Counts memory before it is taken, and looks whether the work may go on. `stop` may be null: nothing is counted then.
/// Errors: as Stop::check.
inline void charge(const Stop* stop, std::size_t bytes) {
  if (stop == nullptr) return;
  stop->check();
  stop->take_memory(bytes);
}

/// Doubles the space of a list that is full. Counts it before it is taken: where the items move, both are there for a
/// while. Errors: as Stop::check.
template <class List>
void charge_growth(const Stop* stop, List& list) {
  constexpr std::size_t kFirst = 16;
  const std::size_t wanted = std::max(list.capacity() * 2, kFirst);
  charge(stop, wanted * sizeof(list[0]));
  list.reserve(wanted);
}

}  // namespace strata::detail
