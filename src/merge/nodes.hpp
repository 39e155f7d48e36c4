// What a History is made of. docs/internals/merge.md, "Histories".
#pragma once

#include <cstdint>

#include "strata/merge.hpp"

namespace strata::merge::detail {

/// What happened where two values met. It decides the fates of all that had come so far.
enum class Meeting : std::uint8_t {
  took,     ///< The new value is there now; what was there is shadowed.
  kept,     ///< The old value stayed; the new one is shadowed.
  merged,   ///< The value was computed from both.
  removed,  ///< The member is gone; both are removed.
};

/// A member that was removed, or items that were dropped.
struct Gone {
  Value key;          ///< Of a mapping; absent for a sequence.
  std::size_t index;  ///< Of a sequence.
  bool is_tail;       ///< `what` is a sequence whose items from `index` on were dropped; else it is what stood at the key or index.
  Traced what;
  const Gone* earlier;
};

/// What a Slot points at: a meeting at one slot, or a container whose slots have histories of their own. There are as many nodes as members that
/// met, so that their size is most of what a history costs.
struct Node {
  bool is_container;
};

struct MeetingNode : Node {
  Meeting meeting;
  Traced old;
  Traced incoming;
};

/// Where many keys are gone: the newest Gone of each key among those up to `last`.
struct GoneIndex {
  Value keys;
  const Gone* last;
};

struct ContainerNode : Node {
  std::uint32_t size;
  std::uint32_t front;  ///< Free slots before `children`: histories of sequences grow on both sides as their values do.
  std::uint32_t back;   ///< Free slots after the last.
  Slot* children;       ///< One a slot of the value, in its order.
  const Gone* gone;     ///< The newest one.
  GoneIndex* gone_index;
  Slot past;          ///< What met here before members met: its losers belong to the history of this place.
  const void* owner;  ///< As of the value: who may change the node in place.
};
static_assert(sizeof(MeetingNode) <= 56 && sizeof(ContainerNode) <= 56);

[[nodiscard]] inline const MeetingNode& meeting_of(const Node& node) noexcept { return static_cast<const MeetingNode&>(node); }
[[nodiscard]] inline const ContainerNode& container_of(const Node& node) noexcept { return static_cast<const ContainerNode&>(node); }

}  // namespace strata::merge::detail
