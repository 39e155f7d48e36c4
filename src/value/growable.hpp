// SPDX-License-Identifier: Apache-2.0
// Containers and texts that grow where they are, though others may hold them already. Only for the merge kernel and
// what shares containers with it (script/includes.py names them): all others use the builders (strata/builder.hpp).
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "strata/value.hpp"

namespace strata {
namespace detail {

/// The caller knows everybody who holds what it changes. Containers and texts must be made by the arena that is given.
struct Growable {
  [[nodiscard]] static Value sequence(Arena& arena, std::size_t capacity) { return arena.growable_sequence(capacity); }
  [[nodiscard]] static Value mapping(Arena& arena, KeyEquality equality, std::size_t capacity) {
    return arena.growable_mapping(equality, capacity);
  }
  [[nodiscard]] static Value set(Arena& arena, KeyEquality equality, std::size_t capacity) {
    return arena.growable_set(equality, capacity);
  }
  /// A copy of a container, with its members, origin and marks, and space for `more`.
  [[nodiscard]] static Value copy(Arena& arena, const Value& container, std::size_t more = 0) {
    return arena.growable_copy(container, more);
  }

  static void append(Arena& arena, const Value& sequence, const Value& item) { arena.append(sequence, item); }
  static void append(Arena& arena, const Value& sequence, std::span<const Value> items) {
    arena.append(sequence, items);
  }
  /// Amortised O(items), at the front as at the back.
  static void prepend(Arena& arena, const Value& sequence, std::span<const Value> items) {
    arena.prepend(sequence, items);
  }
  static void replace(const Value& sequence, std::size_t index, const Value& item) {
    Arena::replace(sequence, index, item);
  }
  static void insert_at(Arena& arena, const Value& sequence, std::size_t index, const Value& item) {
    arena.insert_at(sequence, index, item);
  }
  static void erase_at(const Value& sequence, std::size_t index) { Arena::erase_at(sequence, index); }

  /// As MappingBuilder::insert.
  static bool insert(Arena& arena, const Value& mapping, const Value& key, const Value& value) {
    return arena.insert(mapping, key, value);
  }
  static void replace_entry(const Value& mapping, std::size_t index, const Value& value) {
    Arena::replace_entry(mapping, index, value);
  }
  /// Removes the entries whose `keep` is false, in one pass. `keep` has one element per entry.
  static void keep_entries(Arena& arena, const Value& mapping, std::span<const bool> keep) {
    arena.keep_entries(mapping, keep);
  }
  static bool erase(Arena& arena, const Value& mapping, const Value& key) { return arena.erase(mapping, key); }

  /// The address that identifies who may still grow a container. Null: nobody.
  [[nodiscard]] static const void* owner(const Value& container) noexcept {
    return container.is_sequence() ? container.payload_.sequence->owner : container.payload_.mapping->owner;
  }
  static void set_owner(const Value& container, const void* owner) noexcept {
    (container.is_sequence() ? container.payload_.sequence->owner : container.payload_.mapping->owner) = owner;
  }
  /// A new address that can own containers.
  [[nodiscard]] static const void* new_owner(Arena& arena) { return arena.allocate(1, 1); }
  /// The address of the node behind a container. It identifies the container: equal containers have different
  /// addresses.
  [[nodiscard]] static const void* node(const Value& container) noexcept {
    if (container.is_sequence()) return container.payload_.sequence;
    return container.payload_.mapping;
  }

  /// A text that append_text can grow. Only its maker may grow it.
  [[nodiscard]] static Value text_with_room(Arena& arena, std::string_view characters, std::size_t capacity) {
    return arena.text_with_room(characters, capacity);
  }
  /// Adds characters in place. The capacity of the text must suffice.
  static void append_text(const Value& text, std::string_view characters) noexcept {
    Arena::append_text(text, characters);
  }
};

}  // namespace detail

using detail::Growable;

}  // namespace strata
