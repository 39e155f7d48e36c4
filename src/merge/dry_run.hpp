// SPDX-License-Identifier: Apache-2.0
// Finds out whether a merge will fail before anything is changed. Also has the checks of the kernel itself.
#pragma once

#include "strata/limits.hpp"
#include "strata/origin.hpp"
#include "strata/stop.hpp"
#include "strata/strategy.hpp"

namespace strata::merge {

/// Throws exactly if merging would, and changes nothing. Cost: O(entries and items that both sides have). Not for
/// calls.
void dry_run(const Strategy& strategy, const Limits& limits, const Sources& sources, StopCheck& stop, const Value& old,
             const Value& incoming);

/// Throws Error `limit.depth` with both places.
[[noreturn]] void fail_depth(const Limits& limits, const Sources& sources, const Value& old, const Value& incoming);
/// The size of the text that Action::join makes. Error `limit.result` with both places.
std::size_t joined_size(const Strategy& strategy, const Limits& limits, const Sources& sources, const Value& old,
                        const Value& incoming);
/// Action::check_indexes: whether the new mapping has the keys 0, 1, … up to the shorter size.
[[nodiscard]] bool has_indexes(const Value& old, const Value& incoming) noexcept;

}  // namespace strata::merge
