// What the reference's language makes of values that become JSON.
#pragma once

#include "strata/value.hpp"

namespace strata::heat {

/// Whether an entry of a mapping that is a mapping has null entries only (or none): merging it changes nothing.
[[nodiscard]] bool is_idle(const Value& mapping) noexcept;

/// What a value takes to be written as JSON.
struct JsonNeeds {
  bool change = false;  ///< It has keys that are no text, or sets.
  Origin not_finite;    ///< An infinity or not-a-number in it, which JSON has no form for.
};
/// Cost: O(nodes).
[[nodiscard]] JsonNeeds json_needs(const Value& value) noexcept;

/// A value with keys as texts and sets as sequences. Of keys that become the same text the last one counts, at the place of the first.
struct JsonForm {
  Value value;
  bool collided = false;  ///< Entries were lost, so that positions differ.
};
/// Shares what needs no change. Cost: O(nodes).
[[nodiscard]] JsonForm json_form(Arena& arena, const Value& value);

}  // namespace strata::heat
