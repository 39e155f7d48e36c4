// SPDX-License-Identifier: Apache-2.0
// How contributions are merged: strategies of the kernel. Rule: docs/bindings/guide.md, "Many contribute to one value".
#pragma once

#include "strata/merge.hpp"
#include "strata/strategy.hpp"

namespace strata::bindings {

/// Appends the items of an array. Both values are sequences.
[[nodiscard]] const merge::Strategy& append_strategy();

/// Each distinct item of a sequence once: the first one, whose history includes the others.
[[nodiscard]] merge::Traced distinct_items(const merge::Traced& list, Arena& arena, const Limits& limits,
                                           merge::Recorder& recorder);

}  // namespace strata::bindings
