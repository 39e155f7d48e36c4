// SPDX-License-Identifier: Apache-2.0
// Converts keys to text.
#pragma once

#include "strata/value.hpp"
#include "text/yaml/profile.hpp"

namespace strata::text {

/// Replaces the keys of mappings by texts: Symbols by their names (`TextKeys::symbols`), or scalars by what Python's
/// JSON writes (`TextKeys::json`). If two keys become the same text, the later value wins, at the place of the first.
/// Container keys stay unchanged. New nodes are made in `arena`. Cost: linear in the nodes; values that aliases share
/// stay shared.
[[nodiscard]] Value with_text_keys(Arena& arena, const Value& value, TextKeys keys);

}  // namespace strata::text
