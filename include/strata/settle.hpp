// SPDX-License-Identifier: Apache-2.0
// Values that wait for each other, and how they are folded when everything that they wait for is known.
//
// A dialect with references puts an object (strata::Object) in the place of each value that cannot be merged yet. In
// its strategy the shape `scalar` has the action `wait`, on both sides: a merge that meets such an object keeps both
// sides, in a value that only the kernel makes. `settle` folds them. docs/internals/merge.md, "Waiting".
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "strata/merge.hpp"

namespace strata::merge {

/// Whether sides wait at this place. Values inside are not looked at.
[[nodiscard]] bool is_waiting(const Value& value) noexcept;

/// Turns a side into a value that can be merged: what a reference refers to, or the side itself. It may call `settle`
/// for other values; circles are found by the caller. May throw Error. Never gets or gives an absent value. `is_last`:
/// nothing is merged over the side.
using Resolve = std::function<Traced(const Traced& side, bool is_last)>;

/// How far `settle` goes.
enum class Reach : std::uint8_t {
  here,        ///< Only this place: sides may still wait inside the result, for references that lead into it.
  everywhere,  ///< The result and all that it contains.
};

/// Folds the sides that wait, in the order in which they met, under the strategy under which they met: values and
/// histories become what merging the resolved sides at once would have given. One difference: a member that a side
/// removed and a later one added again keeps its place. Two resolved sides for which the table still says `wait`
/// (dates, for instance): the new one is taken.
///
/// A value in which nothing waits is returned as it is, and shared. `resolve` gets each side that takes part in a fold,
/// once, and nothing else. `calls`, `notices` and `strip`: as for `merge`. The result is absent if the sides removed
/// each other. Cost: that of the merges, and with Reach::everywhere one walk over the value. Errors: those of `merge`
/// and of `resolve`.
[[nodiscard]] Traced settle(const Traced& value, Reach reach, const Resolve& resolve, const Strategy& strategy,
                            Arena& arena, const Limits& limits, Recorder& recorder, std::span<const Call> calls = {},
                            std::vector<Notice>* notices = nullptr, const StripPrefix* strip = nullptr);

}  // namespace strata::merge
