// SPDX-License-Identifier: Apache-2.0
// Converts values to JSON as the reference's language does.
#pragma once

#include "strata/value.hpp"

namespace strata::heat {

/// Whether a mapping in an entry has only null entries, or none: merging it changes nothing.
[[nodiscard]] bool is_idle(const Value& mapping) noexcept;

/// What must change in a value before it is written as JSON.
struct JsonNeeds {
  bool change = false;  ///< It has keys that are not text, or sets.
  Origin not_finite;    ///< An infinity or not-a-number in it, which JSON cannot represent.
};
/// Cost: O(nodes).
[[nodiscard]] JsonNeeds json_needs(const Value& value) noexcept;

/// Converts keys to texts and sets to sequences. If several keys become the same text, the last one wins, at the place
/// of the first.
struct JsonForm {
  Value value;
  bool collided = false;  ///< Entries were lost, so positions differ.
};
/// Unchanged parts are shared. Cost: O(nodes).
[[nodiscard]] JsonForm json_form(Arena& arena, const Value& value);

}  // namespace strata::heat
