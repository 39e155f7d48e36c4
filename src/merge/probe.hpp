// Whether a merge will fail, before anything is changed.
#pragma once

#include "strata/limits.hpp"
#include "strata/origin.hpp"
#include "strata/strategy.hpp"

namespace strata::merge {

/// Throws exactly where merging would, and changes nothing. Cost: O(entries and items that both sides have). Not for calls.
void probe(const Strategy& strategy, const Limits& limits, const Sources& sources, const Value& old, const Value& incoming);

/// Error `limit.depth` where values that are merged are nested too deep.
void check_depth(const Limits& limits, std::size_t depth);
/// Size of the text that Action::join makes. Error `limit.result`.
std::size_t joined_size(const Strategy& strategy, const Limits& limits, const Value& old, const Value& incoming);
/// Action::check_indexes: whether the new mapping has the keys 0, 1, … up to the shorter size.
[[nodiscard]] bool has_indexes(const Value& old, const Value& incoming) noexcept;

}  // namespace strata::merge
