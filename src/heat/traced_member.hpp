// SPDX-License-Identifier: Apache-2.0
// Members of mappings by name, with their histories.
#pragma once

#include <string_view>

#include "strata/merge.hpp"

namespace strata::heat {

/// The value of a key of a mapping. Absent if the key is missing or the value is not a mapping. Cost: O(1) for large
/// mappings.
[[nodiscard]] inline merge::Traced member(const merge::Traced& mapping, std::string_view key) {
  if (!mapping.value.is_mapping()) return {};
  const Value* found = mapping.value.find(key);
  if (found == nullptr) return {};
  const auto entries = mapping.value.entries();
  // The address of an entry gives its index.
  const auto bytes = reinterpret_cast<const std::byte*>(found) - reinterpret_cast<const std::byte*>(&entries[0].value);
  return merge::Recorder::member(mapping, static_cast<std::size_t>(bytes) / sizeof(Entry));
}

}  // namespace strata::heat
