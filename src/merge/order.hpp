// SPDX-License-Identifier: Apache-2.0
// Ruby's order, by which deep_merge sorts lists.
#pragma once

#include <compare>

#include "strata/value.hpp"

namespace strata::merge {

/// Ruby's `<=>`: numbers by value, texts by bytes, sequences item by item. Any other value only equals itself and is
/// not ordered otherwise. Rule: a stable sort fails if two neighbours are not ordered.
// Recursion: bounded by Limits::depth.
[[nodiscard]] std::partial_ordering compare(const Value& left, const Value& right) noexcept;

}  // namespace strata::merge
