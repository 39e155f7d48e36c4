// How large a value is.
#pragma once

#include <cstddef>

#include "strata/value.hpp"

namespace strata {

/// Whether a value has at most so many levels of containers and no more than `nodes` nodes, shared ones counted as if written out; takes what it has
/// from `nodes`. Cost: O(nodes of the value), at most `nodes`.
[[nodiscard]] bool fits(const Value& value, std::size_t levels, std::size_t& nodes);

}  // namespace strata
