// The difference of two values as the library DeepDiff tells it.
#pragma once

#include "strata/value.hpp"

namespace strata::service::buckets {

/// A mapping of `values_changed`, `type_changes`, `dictionary_item_added`, `dictionary_item_removed`, `iterable_item_added`,
/// `iterable_item_removed`; empty if nothing differs. Paths: `root['a'][2]`. Sequences are compared by index.
[[nodiscard]] Value deep_diff(Arena& arena, const Value& before, const Value& after);

}  // namespace strata::service::buckets
