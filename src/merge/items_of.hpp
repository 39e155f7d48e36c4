// Values that count as sequences where they meet one.
#pragma once

#include "strata/limits.hpp"
#include "strata/value.hpp"

namespace strata::merge {

/// The keys of a mapping.
[[nodiscard]] Value keys_of(Arena& arena, const Value& mapping);
/// The code points of a text. Error `limit.result`.
[[nodiscard]] Value characters_of(Arena& arena, const Limits& limits, const Value& text);

}  // namespace strata::merge
