// SPDX-License-Identifier: Apache-2.0
// The size of a value.
#pragma once

#include <cstddef>

#include "strata/value.hpp"

namespace strata {

/// Whether a value has at most `levels` levels of containers and at most `nodes` nodes, with shared nodes counted as if
/// written out. Subtracts its nodes from `nodes`. Cost: O(nodes of the value), at most `nodes`.
[[nodiscard]] bool fits(const Value& value, std::size_t levels, std::size_t& nodes);

}  // namespace strata
