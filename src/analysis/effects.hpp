// SPDX-License-Identifier: Apache-2.0
// When two changes are the same.
#pragma once

#include <cstdint>

#include "strata/analysis.hpp"

namespace strata::analysis {

/// Of everything but places and causes; of values only if `values` says so.
[[nodiscard]] std::uint64_t hash_of(const Change& change, bool values);
[[nodiscard]] bool is_same(const Change& left, const Change& right, bool values);
/// Makes the values of a change the arena's.
void keep_values(Change& change, Arena& arena);

}  // namespace strata::analysis
