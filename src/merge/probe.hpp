// Whether a merge will fail, before anything is changed.
#pragma once

#include "strata/strategy.hpp"

namespace strata::merge {

/// Throws KindMismatch exactly where merging would, and changes nothing. Cost: O(entries and items that both sides have). Not for calls.
void probe(const Strategy& strategy, const Value& old, const Value& incoming);

/// Action::check_indexes: whether the new mapping has the keys 0, 1, … up to the shorter size.
[[nodiscard]] bool has_indexes(const Value& old, const Value& incoming) noexcept;

}  // namespace strata::merge
