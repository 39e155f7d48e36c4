// What a History is made of. docs/merge.md, "Histories".
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

/// Either a meeting at one slot (`is_container` false), or a container whose slots have histories of their own.
struct Node {
  bool is_container;
  Meeting meeting;
  Traced old;  ///< Of a meeting.
  Traced incoming;

  Slot* children;  ///< Of a container: one a slot of the value, in its order.
  std::uint32_t size;
  std::uint32_t front;  ///< Free slots before `children`: histories of sequences grow on both sides as their values do.
  std::uint32_t back;   ///< Free slots after the last.
  const Gone* gone;     ///< The newest one.
  Value gone_index;     ///< Where many keys are gone: the newest Gone of each key among those up to `indexed`.
  const Gone* indexed;
  Slot past;          ///< What met here before members met: its losers belong to the history of this place.
  const void* owner;  ///< As of the value: who may change the node in place.
};

}  // namespace strata::merge::detail
