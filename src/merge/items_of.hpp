// SPDX-License-Identifier: Apache-2.0
// Values that act as sequences when they are merged with one.
#pragma once

#include "strata/limits.hpp"
#include "strata/stop.hpp"
#include "strata/value.hpp"

namespace strata::merge {

/// The keys of a mapping.
[[nodiscard]] Value keys_of(Arena& arena, const Value& mapping);
/// The code points of a text. Errors: `limit.result`, as StopCheck::tick.
[[nodiscard]] Value characters_of(Arena& arena, const Limits& limits, const Value& text, StopCheck& stop);

}  // namespace strata::merge
