// SPDX-License-Identifier: Apache-2.0
// Hashing and comparing keys. Only for src/value/.
#pragma once

#include <cstdint>
#include <string_view>

#include "strata/value.hpp"

namespace strata::detail {

/// Hash of a key for both equalities: numbers and booleans of the same value have the same hash.
[[nodiscard]] std::uint32_t hash_key(const Value& key) noexcept;
/// As hash_key, but without computing for texts that were made as keys.
[[nodiscard]] inline std::uint32_t kept_or_new_hash(const Value& key) noexcept {
  const std::uint32_t kept = key.is_text() ? Mapping::kept_hash(key) : 0;
  return kept != 0 ? kept : hash_key(key);
}
/// The hash under which the index holds the key at `position`. In Python a NaN equals no key, not even itself: each NaN
/// gets a hash of its own, so that many NaNs do not share one slot.
[[nodiscard]] std::uint32_t index_hash(const Value& key, KeyEquality equality, std::uint32_t position) noexcept;
[[nodiscard]] std::uint32_t hash_text(std::string_view text) noexcept;
[[nodiscard]] bool same_key(const Value& left, const Value& right, KeyEquality equality) noexcept;

}  // namespace strata::detail
