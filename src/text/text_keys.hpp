// Symbols as keys.
#pragma once

#include "strata/value.hpp"

namespace strata::text {

/// The value with every key of its mappings that is a Symbol replaced by the symbol's name; of two keys that become the same text, the later one's
/// value stands at the place of the first. Keys that are containers stay as they are. New nodes go to `arena`. Cost: linear in the nodes that there
/// are; what aliases share stays shared.
[[nodiscard]] Value with_text_keys(Arena& arena, const Value& value);

}  // namespace strata::text
