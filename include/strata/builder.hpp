// SPDX-License-Identifier: Apache-2.0
// Builders: containers that are made member by member, and finish into immutable values.
#pragma once

#include <cassert>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

#include "strata/value.hpp"

namespace strata {

namespace detail {

/// What the builders share: a container that grows until it is finished.
class ContainerBuilder {
 public:
  ContainerBuilder(ContainerBuilder&& other) noexcept
      : arena_(std::exchange(other.arena_, nullptr)), made_(other.made_) {}
  ContainerBuilder& operator=(ContainerBuilder&& other) noexcept {
    arena_ = std::exchange(other.arena_, nullptr);
    made_ = other.made_;
    return *this;
  }
  ContainerBuilder(const ContainerBuilder&) = delete;
  ContainerBuilder& operator=(const ContainerBuilder&) = delete;

  [[nodiscard]] std::size_t size() const noexcept { return made_.size(); }
  /// The container, which never changes again. The builder may still be read; to change it is a bug, and an assertion.
  [[nodiscard]] Value finish() noexcept {
    arena_ = nullptr;
    return made_;
  }

 protected:
  ContainerBuilder(Arena& arena, const Value& made) noexcept : arena_(&arena), made_(made) {}
  ~ContainerBuilder() = default;
  [[nodiscard]] Arena& arena() const noexcept {
    assert(arena_ != nullptr && "the container is finished");
    return *arena_;
  }
  [[nodiscard]] const Value& made() const noexcept { return made_; }

 private:
  Arena* arena_;  ///< Null: finished, or moved from.
  Value made_;
};

}  // namespace detail

/// Makes a sequence. A handle of three words: it can be moved, not copied, and takes no memory except that of the
/// sequence.
///
/// The arena must outlive the builder and the sequence. `items` is valid until the next change. Thread safety: as
/// Arena.
class SequenceBuilder : public detail::ContainerBuilder {
 public:
  /// Memory for `capacity` items is taken at once. More items may follow.
  explicit SequenceBuilder(Arena& arena, std::size_t capacity = 0)
      : ContainerBuilder(arena, arena.growable_sequence(capacity)) {}
  /// Starts with the items, the origin and the marks of a sequence, and memory for `more` items. The sequence itself
  /// stays as it is.
  [[nodiscard]] static SequenceBuilder copy_of(Arena& arena, const Value& sequence, std::size_t more = 0) {
    assert(sequence.is_sequence());
    return {arena, arena.growable_copy(sequence, more)};
  }

  /// Amortised O(1).
  void append(const Value& item) { arena().append(made(), item); }
  /// They may be items of this builder.
  void append(std::span<const Value> items) { arena().append(made(), items); }
  /// Replaces the item at `index`, which must exist.
  void replace(std::size_t index, const Value& item) {
    (void)arena();
    Arena::replace(made(), index, item);
  }

  [[nodiscard]] std::span<const Value> items() const noexcept { return made().items(); }

 private:
  SequenceBuilder(Arena& arena, const Value& made) noexcept : ContainerBuilder(arena, made) {}
};

/// Makes a mapping or a set, as SequenceBuilder makes a sequence. `entries` and `find` are valid until the next change.
class MappingBuilder : public detail::ContainerBuilder {
 public:
  /// Memory for `capacity` entries is taken at once. More entries may follow.
  explicit MappingBuilder(Arena& arena, KeyEquality equality = KeyEquality::exact, std::size_t capacity = 0)
      : ContainerBuilder(arena, arena.growable_mapping(equality, capacity)) {}
  /// Makes a set. The value of each entry must be null.
  [[nodiscard]] static MappingBuilder set(Arena& arena, KeyEquality equality = KeyEquality::exact,
                                          std::size_t capacity = 0) {
    return {arena, arena.growable_set(equality, capacity)};
  }
  /// Starts with the entries, the key equality, the origin and the marks of a mapping or set, and memory for `more`
  /// entries.
  [[nodiscard]] static MappingBuilder copy_of(Arena& arena, const Value& mapping, std::size_t more = 0) {
    assert(mapping.is_container() && !mapping.is_sequence());
    return {arena, arena.growable_copy(mapping, more)};
  }

  /// Adds an entry, or replaces the value of an existing key, which keeps its place and spelling. True if the key was
  /// added. Amortised O(1).
  bool insert(const Value& key, const Value& value) { return arena().insert(made(), key, value); }
  bool insert(std::string_view key, const Value& value) { return arena().insert(made(), arena().key(key), value); }
  /// Replaces the value of the entry at `index`, which must exist.
  void replace(std::size_t index, const Value& value) {
    (void)arena();
    Arena::replace_entry(made(), index, value);
  }
  /// False if there is no such key. O(entries).
  bool erase(const Value& key) { return arena().erase(made(), key); }
  bool erase(std::string_view key) {
    const Entry* found = made().find_entry(key);
    return found != nullptr && erase(found->key);
  }

  [[nodiscard]] std::span<const Entry> entries() const noexcept { return made().entries(); }
  /// The value of a key. Null if the key is missing.
  [[nodiscard]] const Value* find(const Value& key) const noexcept { return made().find(key); }
  [[nodiscard]] const Value* find(std::string_view key) const noexcept { return made().find(key); }
  /// Index of a key in `entries`; Arena::npos if it is missing.
  [[nodiscard]] std::size_t index_of(const Value& key) const noexcept { return Arena::index_of(made(), key); }

 private:
  MappingBuilder(Arena& arena, const Value& made) noexcept : ContainerBuilder(arena, made) {}
};

/// Whether two values are one: the same node, with the same origin and marks. Equal values may be two.
[[nodiscard]] inline bool is_same_node(const Value& left, const Value& right) noexcept {
  return __builtin_memcmp(&left, &right, sizeof(Value)) == 0;
}

/// The container with `change(member)` in place of each item, or of the value of each entry. Keys, order, origin and
/// marks stay. If nothing changes, it is `container` itself.
template <typename Change>
[[nodiscard]] Value with_members(Arena& arena, const Value& container, const Change& change) {
  const auto replaced = [&container, &change](const auto& member, const auto& copy) {
    for (std::size_t i = 0; i < container.size(); ++i) {
      const Value first = change(member(i));
      if (is_same_node(first, member(i))) continue;
      auto builder = copy();
      builder.replace(i, first);
      for (++i; i < container.size(); ++i) builder.replace(i, change(member(i)));
      return builder.finish();
    }
    return container;
  };
  if (container.is_sequence())
    return replaced([&](std::size_t i) { return container.items()[i]; },
                    [&] { return SequenceBuilder::copy_of(arena, container); });
  return replaced([&](std::size_t i) { return container.entries()[i].value; },
                  [&] { return MappingBuilder::copy_of(arena, container); });
}

}  // namespace strata
