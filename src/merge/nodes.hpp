// SPDX-License-Identifier: Apache-2.0
// The nodes of a History. docs/internals/merge.md, "Histories".
#pragma once

#include <cstdint>

#include "strata/merge.hpp"

namespace strata::merge::detail {

/// The event when two values meet. It decides the fates of all earlier values.
enum class Meeting : std::uint8_t {
  took,     ///< The new value is present; the old one is shadowed.
  kept,     ///< The old value is present; the new one is shadowed.
  merged,   ///< The value was computed from both: of what it lacks, nothing is known to be in it.
  derived,  ///< The value was made of both and of all that is in them: a conversion, or what waits.
  removed,  ///< The member is removed, and so are both values.
  told,     ///< A function made the new value and told its history. The old side stands for what it made it of.
};

/// What a meeting does to a list, and to what loses in it.
struct How {
  ListAction action;  ///< `single`: nothing.
  Loss loss;
};

/// What a meeting does where nothing else is said.
[[nodiscard]] constexpr How usual(Meeting meeting) noexcept {
  return meeting == Meeting::took || meeting == Meeting::kept ? How{ListAction::replaced, Loss::replaced}
                                                              : How{ListAction::single, Loss::removed};
}

/// A removed member, or dropped items.
struct Gone {
  Value key;          ///< For a mapping; absent for a sequence.
  std::size_t index;  ///< For a sequence.
  bool is_tail;  ///< `what` is a sequence whose items from `index` on were dropped. If false, it is the value at the
                 ///< key or index.
  Traced what;
  const Gone* earlier;
};

/// The target of a Slot: a meeting at one slot, or a container whose slots have their own histories. There is a node
/// for each member that met another, so the node size dominates the cost of a history.
struct Node {
  bool is_container;
};

struct MeetingNode : Node {
  Meeting meeting;
  How how;
  RuleId rule;
  Traced old;
  Traced incoming;
};

/// Whether the value is that of neither side.
[[nodiscard]] inline bool is_computed(const MeetingNode& met) noexcept {
  return met.meeting == Meeting::merged || met.meeting == Meeting::derived;
}

/// The side whose value is present. Not for what is computed or removed.
[[nodiscard]] inline const Traced& present_side(const MeetingNode& met) noexcept {
  return met.meeting == Meeting::took || met.meeting == Meeting::told ? met.incoming : met.old;
}

/// For many removed keys: the newest Gone of each key among those up to `last`.
struct GoneIndex {
  Value keys;
  const Gone* last;
};

/// A list that met another one, whose items may be gone or may never have been there. Or a mapping that met one which
/// has lost something before.
struct ContainerMerge {
  ListAction action;
  RuleId rule;
  Traced incoming;
  const ContainerMerge* earlier;
  const ContainerMerge* telling;  ///< The newest from this one on whose `incoming` may have lost something: lists of
                                  ///< leaves look at no other.
};

/// What few containers have.
struct Extra {
  GoneIndex* gone_index;
  const ContainerMerge* merges;  ///< The newest.
};

struct ContainerNode : Node {
  std::uint32_t size;
  std::uint32_t front;  ///< Free slots before `children`. Histories of sequences grow at both ends, as their values do.
  std::uint32_t back;   ///< Free slots after the last.
  Slot* children;       ///< One per slot of the value, in its order.
  const Gone* gone;     ///< The newest.
  Extra* extra;         ///< Null: nothing of it.
  Slot past;          ///< Meetings at this place before members met. Their losers belong to the history of this place.
  const void* owner;  ///< As for the value: who may change the node in place.
};

/// What met in a container, the newest first; null: nothing.
[[nodiscard]] inline const ContainerMerge* merges_of(const ContainerNode& node) noexcept {
  return node.extra == nullptr ? nullptr : node.extra->merges;
}
/// The newest of these that may have lost something, and the next one.
[[nodiscard]] inline const ContainerMerge* telling_merges_of(const ContainerNode& node) noexcept {
  const ContainerMerge* newest = merges_of(node);
  return newest == nullptr ? nullptr : newest->telling;
}
[[nodiscard]] inline const ContainerMerge* next_telling(const ContainerMerge& merge) noexcept {
  return merge.earlier == nullptr ? nullptr : merge.earlier->telling;
}
static_assert(sizeof(MeetingNode) <= 56 && sizeof(ContainerNode) <= 56);

[[nodiscard]] inline const MeetingNode& meeting_of(const Node& node) noexcept {
  return static_cast<const MeetingNode&>(node);
}
[[nodiscard]] inline const ContainerNode& container_of(const Node& node) noexcept {
  return static_cast<const ContainerNode&>(node);
}

}  // namespace strata::merge::detail
