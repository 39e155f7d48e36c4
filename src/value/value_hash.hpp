// SPDX-License-Identifier: Apache-2.0
// Values as keys of the standard's tables.
#pragma once

#include <cstddef>

#include "strata/value.hpp"

namespace strata {

/// Values that are `equal` have the same hash. Seeded, as all hashes of input.
struct ValueHash {
  [[nodiscard]] std::size_t operator()(const Value& value) const noexcept;
};
/// `equal`.
struct ValueEqual {
  [[nodiscard]] bool operator()(const Value& left, const Value& right) const noexcept { return equal(left, right); }
};

}  // namespace strata
