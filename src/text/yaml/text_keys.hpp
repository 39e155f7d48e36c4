// Keys that become text.
#pragma once

#include "strata/value.hpp"
#include "text/yaml/profile.hpp"

namespace strata::text {

/// The value with the keys of its mappings replaced by texts: each Symbol by its name (`TextKeys::symbols`), or each scalar by what Python's JSON
/// writes for it (`TextKeys::json`). Of two keys that become the same text, the later one's value stands at the place of the first. Keys that are
/// containers stay as they are. New nodes go to `arena`. Cost: linear in the nodes that there are; what aliases share stays shared.
[[nodiscard]] Value with_text_keys(Arena& arena, const Value& value, TextKeys keys);

}  // namespace strata::text
