// SPDX-License-Identifier: Apache-2.0
// The entries of a mapping by the texts of their keys.
#pragma once

#include <string_view>
#include <vector>

#include "strata/value.hpp"

namespace strata::text {

/// Entries of a mapping or set, sorted by `key_text`, by code point. Entries with equal texts keep their order.
[[nodiscard]] std::vector<const Entry*> sorted_by_key_text(const Value& mapping);

/// Appends the same to `sorted`, whose memory serves for many mappings.
void append_sorted_by_key_text(const Value& mapping, std::vector<const Entry*>& sorted);

/// The second of two entries whose keys have the same text. Null if there are none. Cost: O(n log n).
[[nodiscard]] const Entry* find_key_collision(const Value& mapping);

}  // namespace strata::text
