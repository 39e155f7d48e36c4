// The two recorders that the kernel is built with: one that keeps nothing, and one that keeps a History.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "nodes.hpp"
#include "strata/merge.hpp"

namespace strata::merge {

/// Owner of nodes: memory is handed out and freed all at once.
struct History::Pool {
  Arena arena;                             ///< Of indexes, and of what is kept as it was.
  const void* mark = nullptr;              ///< Of containers that are changed wherever they are held (Accumulator::share); null: there are none.
  std::size_t room_for_kept = 10'000'000;  ///< Nodes of such containers that may still be kept as they were.

  void* allocate(std::size_t size) {
    if (size > left_) refill(size);
    std::byte* memory = next_;
    next_ += size;
    left_ -= size;
    return memory;
  }
  /// Memory for `count` of a kind of node.
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

/// Keeps nothing; all of it disappears in the compiled kernel.
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

  /// Containers with this mark have identity (Accumulator::share): each has one history, wherever it is held.
  void share(const void* mark) { pool_.mark = mark; }

  /// The history of the index-th slot of a value.
  [[nodiscard]] static Slot child(const Traced& parent, std::size_t index) {
    const detail::Node* node = parent.slot.node();
    if (node == nullptr) return parent.slot;
    return node->is_container ? detail::container_of(*node).children[index] : child_of_meeting(parent, index);
  }
  /// Who supplied the value that is there now, without what met there before.
  [[nodiscard]] static Slot supplier(Slot slot);

  /// The slot after a meeting.
  Slot meet(detail::Meeting meeting, const Traced& old, const Traced& incoming) {
    if (pool_.mark != nullptr) return meet_shared(meeting, old, incoming);
    return Slot(new (pool_.allocate<detail::MeetingNode>()) detail::MeetingNode{{.is_container = false}, meeting, old, incoming});
  }

  /// The history of a container that is about to be changed by `owner`: as before, one slot a member, with room for `more`.
  detail::ContainerNode* own(const Traced& container, const void* owner, std::size_t more = 0);
  /// The history of a copy of a container, which nothing else leads to.
  detail::ContainerNode* copy(const Traced& container, const void* owner, std::size_t more = 0);
  /// The slot of a container after `own` gave its history: as it was where that leads there already.
  [[nodiscard]] static Slot held(Slot slot, const detail::ContainerNode* node) { return winner(slot) == node ? slot : Slot(node); }
  /// The history of a new container, as yet without slots but with room for some, at the place of what was there.
  detail::ContainerNode* succeed(Slot slot, const void* owner, std::size_t room = 0);
  /// Nobody changes the container's history in place any more.
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
  void add_gone(detail::ContainerNode& node, const detail::Gone& gone);
  /// The history of a key that was removed earlier; null pointer where there is none.
  [[nodiscard]] const detail::Gone* find_gone(detail::ContainerNode& node, const Value& key) {
    return node.gone == nullptr ? nullptr : look_for_gone(node, key);
  }

 private:
  class Keeper;

  Slot meet_shared(detail::Meeting meeting, const Traced& old, const Traced& incoming);
  /// What is there no longer as it was, since a container with the mark changes on where it is still held, and may come to hold what met it.
  /// Absent where it is large: then nothing is told of it.
  [[nodiscard]] Traced as_it_was(const Traced& value);
  /// Position in `container` of the member that `like` has at `index`.
  static std::size_t find_member(const Value& container, const Value& like, std::size_t index);
  static Slot child_of_meeting(const Traced& parent, std::size_t index);
  /// Where the value that is there came from: a container, a meeting that computed it, or null for a layer.
  static const detail::Node* winner(Slot slot);
  Slot computed_child(const detail::MeetingNode& meeting, const Value& container, std::size_t index);
  const detail::Gone* look_for_gone(detail::ContainerNode& node, const Value& key);
  const detail::Gone* find_in_index(detail::ContainerNode& node, const Value& key);
  /// Makes room at one end and returns its first new slot.
  Slot* grow(detail::ContainerNode& node, std::size_t front, std::size_t back);

  History::Pool& pool_;
};

}  // namespace strata::merge
