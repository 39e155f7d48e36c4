// SPDX-License-Identifier: Apache-2.0
// Mappings whose keys become texts, as JSON and Python's configuration files want them.
#pragma once

#include <cstddef>
#include <optional>

#include "strata/builder.hpp"

namespace strata {

/// The mapping with the text `spell(key)` in the place of each key that is none, and with `change(key, value)`, which
/// gets the new key, in the place of each value. Where two keys become one, `collide(key, written)` is told of the
/// second one, whose value counts if it returns. Order, origin and marks stay. If nothing changes, the result is
/// `mapping` itself.
template <typename Spell, typename Change, typename Collide>
[[nodiscard]] Value with_text_keys(Arena& arena, const Value& mapping, KeyEquality equality, const Spell& spell,
                                   const Change& change, const Collide& collide) {
  const auto entries = mapping.entries();
  std::optional<MappingBuilder> made;  // Absent: everything is as it was.
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto& [written, before] = entries[i];
    const Value key = written.is_text() ? written : arena.key(arena.text(spell(written))).with_origin(written.origin());
    const Value value = change(key, before);
    if (!made && written.is_text() && is_same_node(value, before)) continue;
    if (!made) {
      made.emplace(arena, equality, entries.size());
      for (const Entry& entry : entries.first(i)) made->insert(entry.key, entry.value);
    }
    if (!made->insert(key, value)) collide(key, written);
  }
  return made ? made->finish().with_origin(mapping.origin()).with_secret(mapping.is_secret()) : mapping;
}

}  // namespace strata
