// SPDX-License-Identifier: Apache-2.0
// The two recorders of the kernel: one records nothing, one records a History.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "nodes.hpp"
#include "strata/merge.hpp"

namespace strata::merge {

/// Owns nodes, and frees them all at once.
struct History::Pool {
  Arena arena;                             ///< For indexes, and for values kept as they were.
  const void* mark = nullptr;              ///< Of shared containers (Accumulator::share). Null: there are none.
  std::size_t room_for_kept = 10'000'000;  ///< How many nodes of such containers may still be kept as they were.
  RuleId rule = 0;                         ///< That what meets follows.

  void* allocate(std::size_t size) {
    if (size > left_) refill(size);
    std::byte* memory = next_;
    next_ += size;
    left_ -= size;
    return memory;
  }
  /// Memory for `count` nodes of one kind.
  template <class T>
  T* allocate(std::size_t count = 1) {
    static_assert(sizeof(T) % kAlignment == 0 && alignof(T) <= kAlignment && std::is_trivially_destructible_v<T>);
    return static_cast<T*>(allocate(count * sizeof(T)));
  }

 private:
  static constexpr std::size_t kAlignment = 8;

  void refill(std::size_t size);

  std::vector<std::unique_ptr<std::byte[]>> chunks_;  // NOLINT(modernize-avoid-c-arrays): not initialized
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t taken_ = 0;
};

/// Records nothing. The compiler removes all calls.
class NoRecording {
 public:
  static constexpr bool kKeeps = false;
  static Slot child(const Traced&, std::size_t) { return {}; }
  static Slot supplier(const Slot&) { return {}; }
};

/// Makes the nodes of a History.
class Recording {
 public:
  static constexpr bool kKeeps = true;
  explicit Recording(History& history) : pool_(*history.pool_) {}

  /// Shared containers with this mark have one history each, wherever they are held (Accumulator::share).
  void share(const void* mark) { pool_.mark = mark; }

  /// The history of the index-th slot of a value.
  [[nodiscard]] static Slot child(const Traced& parent, std::size_t index) {
    const detail::Node* node = parent.slot.node();
    if (node == nullptr) return parent.slot;
    return node->is_container ? detail::container_of(*node).children[index] : child_of_meeting(parent, index);
  }
  /// The source of the present value, without earlier meetings.
  [[nodiscard]] static Slot supplier(Slot slot);
  /// The source of the present value: a container, a meeting that computed it, or null for a layer.
  [[nodiscard]] static const detail::Node* winner(Slot slot);

  /// The slot after a meeting.
  Slot meet(detail::Meeting meeting, const Traced& old, const Traced& incoming) {
    return meet(meeting, detail::usual(meeting), old, incoming);
  }
  Slot meet(detail::Meeting meeting, detail::How how, const Traced& old, const Traced& incoming) {
    if (pool_.mark != nullptr) return meet_shared(meeting, how, old, incoming);
    return Slot(new (pool_.allocate<detail::MeetingNode>())
                    detail::MeetingNode{{.is_container = false}, meeting, how, pool_.rule, old, incoming});
  }
  /// The slot of a value that takes the place of another one. What no layer gave and holds nothing is a placeholder:
  /// values that go from place to place take one each time, and only the last one is kept.
  Slot take(const Traced& old, const Traced& incoming);
  /// The slot of a value that was computed from one other. Of texts that were computed from each other, one after the
  /// other, the first one counts.
  Slot derive(const Value& value, const Traced& input);
  /// Records that a list has met another one, for reports on lists. `node` is the history of the result.
  void merge_list(detail::ContainerNode& node, ListAction action, const Traced& incoming);
  /// Records that a mapping has met another one, of which only the members are taken over, if that one has lost
  /// something before.
  void merge_mapping(detail::ContainerNode& node, const Traced& incoming);
  /// The slot of a list that has met an empty one. A history that `owner` may change stays in place: a fold would copy
  /// it for the next list.
  Slot meet_empty(ListAction action, const Traced& list, const Traced& empty, const void* owner);

  /// The history of a container that `owner` is about to change: one slot per member as before, with room for `more`.
  detail::ContainerNode* own(const Traced& container, const void* owner, std::size_t more = 0);
  /// The history of a copy of a container. Nothing else refers to it.
  detail::ContainerNode* copy(const Traced& container, const void* owner, std::size_t more = 0);
  /// The slot of a container after its history became `own`. Unchanged if it already refers to `own`.
  [[nodiscard]] static Slot held(Slot slot, const detail::ContainerNode* node) {
    return winner(slot) == node ? slot : Slot(node);
  }
  /// The history of a new container, with room for slots but without any, at the place of the old value.
  detail::ContainerNode* succeed(Slot slot, const void* owner, std::size_t room = 0);
  /// From now on nobody changes the container's history in place.
  static void release(Slot slot);
  void append(detail::ContainerNode& node, Slot slot) {
    if (node.back == 0) return (void)(*grow(node, 0, 1) = slot);
    node.children[node.size++] = slot;
    --node.back;
  }
  void append(detail::ContainerNode& node, const Traced& items);
  void prepend(detail::ContainerNode& node, const Traced& items);
  void insert_at(detail::ContainerNode& node, std::size_t index, Slot slot);
  static void erase_at(detail::ContainerNode& node, std::size_t index);
  /// Drops the slots of members that do not stay. `staying` has one element per slot.
  static void keep(detail::ContainerNode& node, std::span<const bool> staying);
  void add_gone(detail::ContainerNode& node, const detail::Gone& gone);
  /// The history of a key that was removed earlier. Null if there is none.
  [[nodiscard]] const detail::Gone* find_gone(detail::ContainerNode& node, const Value& key) {
    return node.gone == nullptr ? nullptr : look_for_gone(node, key);
  }

 private:
  class Keeper;

  Slot meet_shared(detail::Meeting meeting, detail::How how, const Traced& old, const Traced& incoming);
  /// A copy of a value that is being replaced, because a shared container may change later where it is still held, and
  /// may come to contain what replaced it. Absent if it is large: histories then do not show it.
  [[nodiscard]] Traced as_it_was(const Traced& value);
  /// Index in `container` of the member that `like` has at `index`.
  static std::size_t find_member(const Value& container, const Value& like, std::size_t index);
  /// The same, where the member in `container` can have the history of the one in `like`.
  static std::size_t find_handed_on(const Value& container, const Value& like, std::size_t index);
  static Slot child_of_meeting(const Traced& parent, std::size_t index);
  Slot computed_child(const detail::MeetingNode& meeting, const Value& container, std::size_t index);
  detail::Extra& extra_of(detail::ContainerNode& node);
  /// Whether something is known at a place or in it that the value there has lost. If false, it tells of nothing that
  /// is not in it.
  [[nodiscard]] bool may_have_lost(Slot slot) const;
  const detail::Gone* look_for_gone(detail::ContainerNode& node, const Value& key);
  const detail::Gone* find_in_index(detail::ContainerNode& node, const Value& key);
  /// Makes room at one end and returns the first new slot.
  Slot* grow(detail::ContainerNode& node, std::size_t front, std::size_t back);

  History::Pool& pool_;
};

}  // namespace strata::merge
