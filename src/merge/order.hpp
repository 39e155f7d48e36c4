// The order of Ruby, in which deep_merge sorts lists.
#pragma once

#include <compare>

#include "strata/value.hpp"

namespace strata::merge {

/// Ruby's `<=>`: numbers by amount, texts by bytes, sequences item by item; anything else only equals itself, and is unordered with all others.
/// Rule: a stable sort fails where any two neighbours are unordered.
// Recursion: bounded by Limits::depth.
[[nodiscard]] std::partial_ordering compare(const Value& left, const Value& right) noexcept;

}  // namespace strata::merge
