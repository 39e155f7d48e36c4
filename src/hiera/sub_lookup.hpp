// SPDX-License-Identifier: Apache-2.0
// Digging: one step of a dotted key into a value.
#pragma once

#include <string_view>

#include "key.hpp"

namespace strata::hiera {

/// Index of the member or item that a segment names; Arena::npos if it is not found (also in null).
/// Error (LookupError) `hiera.dig` if the value has no members. `key`: for the message. Rule: docs/hiera/lookup.md,
/// "Digging".
[[nodiscard]] std::size_t find_step(const Value& value, const Segment& segment, std::string_view key);
/// The member or item itself. Absent if it is not found.
[[nodiscard]] Value step_into(const Value& value, const Segment& segment, std::string_view key);

}  // namespace strata::hiera
