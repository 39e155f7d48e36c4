// Whether a merge will fail, before anything is changed; and the checks that the kernel itself makes.
#pragma once

#include "strata/limits.hpp"
#include "strata/origin.hpp"
#include "strata/stop.hpp"
#include "strata/strategy.hpp"

namespace strata::merge {

/// Throws exactly where merging would, and changes nothing. Cost: O(entries and items that both sides have). Not for calls.
void dry_run(const Strategy& strategy, const Limits& limits, const Sources& sources, StopCheck& stop, const Value& old, const Value& incoming);

/// Throws Error `limit.depth` with both places: values that are merged are nested too deep.
[[noreturn]] void fail_depth(const Limits& limits, const Sources& sources, const Value& old, const Value& incoming);
/// Size of the text that Action::join makes. Error `limit.result` with both places.
std::size_t joined_size(const Strategy& strategy, const Limits& limits, const Sources& sources, const Value& old, const Value& incoming);
/// Action::check_indexes: whether the new mapping has the keys 0, 1, … up to the shorter size.
[[nodiscard]] bool has_indexes(const Value& old, const Value& incoming) noexcept;

}  // namespace strata::merge
