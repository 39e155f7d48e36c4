// The two recorders that the kernel is built with: one that keeps nothing, and one that keeps a History.
#pragma once

#include <memory_resource>
#include <span>

#include "nodes.hpp"
#include "strata/merge.hpp"

namespace strata::merge {

struct History::Pool {
  std::pmr::monotonic_buffer_resource memory{std::size_t{1} << 14U};
  Arena arena;  ///< Of indexes.
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
  explicit Recording(History& history) : memory_(history.pool_->memory), arena_(history.pool_->arena) {}

  /// The history of the index-th slot of a value.
  [[nodiscard]] static Slot child(const Traced& parent, std::size_t index);
  /// Who supplied the value that is there now, without what met there before.
  [[nodiscard]] static Slot supplier(Slot slot);

  /// The slot after a meeting.
  Slot meet(detail::Meeting meeting, const Traced& old, const Traced& incoming);

  /// The history of a container that is about to be changed by `owner`: as before, one slot a member.
  detail::Node* own(const Traced& container, const void* owner);
  /// The history of a new container, as yet without slots, at the place of what was there.
  detail::Node* succeed(Slot slot, const void* owner);
  /// Nobody changes the container's history in place any more.
  static void release(Slot slot);
  void append(detail::Node& node, Slot slot) { *grow(node, 0, 1) = slot; }
  void append(detail::Node& node, const Traced& items);
  void prepend(detail::Node& node, const Traced& items);
  void insert_at(detail::Node& node, std::size_t index, Slot slot);
  static void erase_at(detail::Node& node, std::size_t index);
  void add_gone(detail::Node& node, const detail::Gone& gone);
  /// The history of a key that was removed earlier; null pointer where there is none.
  [[nodiscard]] const detail::Gone* find_gone(detail::Node& node, const Value& key);

 private:
  /// Position in `container` of the member that `like` has at `index`.
  static std::size_t find_member(const Value& container, const Value& like, std::size_t index);
  /// Where the value that is there came from: a container, a meeting that computed it, or null for a layer.
  static const detail::Node* winner(Slot slot);
  Slot computed_child(const detail::Node& meeting, const Value& container, std::size_t index);
  const detail::Gone* find_in_index(detail::Node& node, const Value& key);
  detail::Node* new_node(bool is_container);
  /// Makes room at one end and returns its first new slot.
  Slot* grow(detail::Node& node, std::size_t front, std::size_t back);

  std::pmr::memory_resource& memory_;
  Arena& arena_;
};

}  // namespace strata::merge
