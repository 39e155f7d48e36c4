// SPDX-License-Identifier: Apache-2.0
#include "recording.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <unordered_map>
#include <utility>
#include <vector>

#include "access.hpp"
#include "value/extent.hpp"
#include "value/growable.hpp"

namespace strata::merge {

using detail::container_of;
using detail::ContainerNode;
using detail::Meeting;
using detail::meeting_of;
using detail::MeetingNode;
using detail::Node;

void History::Pool::refill(std::size_t size) {
  // A quarter of what there is: little is left over at the end, and the number of chunks stays small.
  constexpr std::size_t kSmallest = std::size_t{1} << 13U;
  constexpr std::size_t kLargest = std::size_t{1} << 20U;
  left_ = std::max(size, std::clamp(taken_ / 4, kSmallest, kLargest));
  taken_ += left_;
  next_ = chunks_.emplace_back(std::make_unique_for_overwrite<std::byte[]>(left_))
              .get();  // NOLINT(modernize-avoid-c-arrays)
}

std::size_t Recording::find_member(const Value& container, const Value& like, std::size_t index) {
  if (container.kind() != like.kind()) return Arena::npos;
  if (container.is_sequence()) return index < container.size() ? index : Arena::npos;
  return Arena::index_of(container, like.entries()[index].key);
}

std::size_t Recording::find_handed_on(const Value& container, const Value& like, std::size_t index) {
  const std::size_t position = find_member(container, like, index);
  if (position == Arena::npos) return position;
  const Value now = member_at(like, index);
  const Value before = member_at(container, position);
  if (!now.is_container() && !before.is_container()) return position;
  // The history of a container has a slot for each of its members: it fits nothing else.
  return before.kind() == now.kind() && Growable::node(before) == Growable::node(now) ? position : Arena::npos;
}

Slot Recording::child_of_meeting(const Traced& parent, std::size_t index) {
  Traced here = parent;
  for (const Node* node = here.slot.node(); node != nullptr; node = here.slot.node()) {
    if (node->is_container) {
      assert(index < container_of(*node).size);
      return container_of(*node).children[index];
    }
    const MeetingNode& met = meeting_of(*node);
    if (is_computed(met)) {
      // Computed from both: the side that has such a member hands on.
      const std::size_t in_old = find_handed_on(met.old.value, here.value, index);
      const std::size_t in_new =
          in_old != Arena::npos ? Arena::npos : find_handed_on(met.incoming.value, here.value, index);
      if (in_old == Arena::npos && in_new == Arena::npos) return supplier(here.slot);
      here = in_old != Arena::npos ? met.old : met.incoming;
      index = in_old != Arena::npos ? in_old : in_new;
    } else {
      // The side whose value is there hands on.
      here.slot = detail::present_side(met).slot;
    }
  }
  return here.slot;
}

namespace {

bool is_placeholder(const Traced& value) {
  return value.slot == Slot(kNoLayer) && value.value && value.value.is_leaf();
}

/// The meeting at a place, if a value took another one's place there as `meet` says without more.
const MeetingNode* taking(Slot slot) {
  const Node* node = slot.node();
  if (node == nullptr || node->is_container) return nullptr;
  const MeetingNode& met = meeting_of(*node);
  constexpr detail::How kHow = detail::usual(Meeting::took);
  return met.meeting == Meeting::took && met.how.action == kHow.action && met.how.loss == kHow.loss ? &met : nullptr;
}

}  // namespace

Slot Recording::take(const Traced& old, const Traced& incoming) {
  const MeetingNode* before = is_placeholder(old) ? taking(incoming.slot) : nullptr;
  return meet(Meeting::took, old, before != nullptr && is_placeholder(before->old) ? before->incoming : incoming);
}

Slot Recording::derive(const Value& value, const Traced& input) {
  const auto is_scalar = [](const Value& one) { return one && !one.is_container() && one.kind() != Kind::object; };
  const Node* node = input.slot.node();
  const MeetingNode* before = node != nullptr && !node->is_container ? &meeting_of(*node) : nullptr;
  const bool is_same =
      before != nullptr && before->meeting == Meeting::derived && !before->old.value && before->old.slot == Slot();
  return meet(Meeting::derived, {}, is_same && is_scalar(value) && is_scalar(input.value) ? before->incoming : input);
}

/// Copies containers with a mark and what they hold, with their histories as they are.
class Recording::Keeper {
 public:
  Keeper(History::Pool& pool, Recording& recording) : pool_(pool), recording_(recording) {}

  // Recursion: bounded by kDeepest.
  Traced keep(const Traced& value) {
    if (!value.value.is_container() || Growable::owner(value.value) != pool_.mark) return value;
    const auto [known, is_new] = copies_.try_emplace(Growable::node(value.value));
    // What it met where it is held is left out of its own history, so that this leads to nothing that changes.
    const Node* node = value.slot.node();
    const MeetingNode* met = node != nullptr && !node->is_container ? &meeting_of(*node) : nullptr;
    if (met != nullptr && met->meeting != Meeting::took && met->meeting != Meeting::told) met = nullptr;
    if (is_new) {
      const Value copy = Growable::copy(pool_.arena, value.value);
      Growable::set_owner(copy, nullptr);
      ContainerNode* history =
          recording_.copy({value.value, met != nullptr ? met->incoming.slot : value.slot}, nullptr);
      known->second = {copy, Slot(history)};
      for (std::size_t i = 0; i < copy.size(); ++i) {
        const Traced member =
            keep({copy.is_sequence() ? copy.items()[i] : copy.entries()[i].value, history->children[i]});
        if (copy.is_sequence()) {
          Growable::replace(copy, i, member.value);
        } else {
          Growable::replace_entry(copy, i, member.value);
        }
        history->children[i] = member.slot;
      }
    }
    Traced kept{known->second.value.with_origin(value.value.origin()).with_secret(value.value.is_secret()),
                known->second.slot};
    if (met != nullptr) {
      kept.slot = Slot(new (pool_.allocate<MeetingNode>())
                           MeetingNode{{.is_container = false}, met->meeting, met->how, met->rule, met->old, kept});
    }
    return kept;
  }

 private:
  History::Pool& pool_;
  Recording& recording_;
  std::unordered_map<const void*, Traced> copies_;
};

Slot Recording::meet_shared(Meeting meeting, detail::How how, const Traced& old, const Traced& incoming) {
  const bool takes = meeting == Meeting::took || meeting == Meeting::told;
  return Slot(new (pool_.allocate<MeetingNode>()) MeetingNode{{.is_container = false},
                                                              meeting,
                                                              how,
                                                              pool_.rule,
                                                              meeting == Meeting::kept ? old : as_it_was(old),
                                                              takes ? incoming : as_it_was(incoming)});
}

Traced Recording::as_it_was(const Traced& value) {
  constexpr std::size_t kDeepest = 2000;
  constexpr std::size_t kLargest = 100'000;
  if (!value.value.is_container() || Growable::owner(value.value) != pool_.mark) return value;
  const std::size_t room = std::min(kLargest, pool_.room_for_kept);
  std::size_t left = room;
  if (!fits(value.value, kDeepest, left)) return {};
  pool_.room_for_kept -= room - left;
  return Keeper(pool_, *this).keep(value);
}

Slot Recording::supplier(Slot slot) {
  Slot otherwise;  // Of what a function has composed: the function's inputs.
  while (true) {
    const Node* node = slot.node();
    if (node == nullptr) {
      if (slot.layer() != kNoLayer || otherwise == Slot()) return slot;
      slot = std::exchange(otherwise, Slot());
    } else if (node->is_container) {
      slot = container_of(*node).past;
    } else {
      const MeetingNode& met = meeting_of(*node);
      if (met.meeting == Meeting::told) otherwise = met.old.slot;
      // A value may be computed from one side alone: the other one has no such member.
      const bool is_of_old = met.meeting == Meeting::kept || (is_computed(met) && met.incoming.slot == Slot());
      slot = is_of_old ? met.old.slot : met.incoming.slot;
    }
  }
}

const Node* Recording::winner(Slot slot) {
  const Node* node = slot.node();
  while (node != nullptr && !node->is_container) {
    const MeetingNode& met = meeting_of(*node);
    if (is_computed(met)) break;
    node = detail::present_side(met).slot.node();
  }
  return node;
}

ContainerNode* Recording::own(const Traced& container, const void* owner, std::size_t more) {
  // What has the mark may have met something where it is held.
  const Node* before = owner == pool_.mark ? winner(container.slot) : container.slot.node();
  if (before != nullptr && before->is_container && container_of(*before).owner == owner) {
    return const_cast<ContainerNode*>(&container_of(*before));  // NOLINT(cppcoreguidelines-pro-type-const-cast): owned
  }
  return copy(container, owner, more);
}

ContainerNode* Recording::copy(const Traced& container, const void* owner, std::size_t more) {
  const std::size_t size = container.value.size();
  ContainerNode* node = succeed(container.slot, owner, size + more);
  node->size = static_cast<std::uint32_t>(size);
  node->back -= node->size;
  if (node->children == nullptr) return node;
  const Node* computed = winner(container.slot);
  if (computed == nullptr) {
    // All of it comes from where the container came from.
    std::fill_n(node->children, size, size == 0 ? Slot() : child(container, 0));
  } else if (computed->is_container) {
    std::copy_n(container_of(*computed).children, size, node->children);
  } else {
    for (std::size_t i = 0; i < size; ++i)
      node->children[i] = computed_child(meeting_of(*computed), container.value, i);
  }
  return node;
}

ContainerNode* Recording::succeed(Slot slot, const void* owner, std::size_t room) {
  const Node* before = slot.node();
  // What the side that won had lost before stays known.
  const Node* won = winner(slot);
  const detail::Extra* known = won != nullptr && won->is_container ? container_of(*won).extra : nullptr;
  detail::Extra* extra = nullptr;
  if (known != nullptr && known->merges != nullptr)
    extra = new (pool_.allocate<detail::Extra>()) detail::Extra{nullptr, known->merges};
  return new (pool_.allocate<ContainerNode>())
      ContainerNode{{.is_container = true},
                    0,
                    0,
                    static_cast<std::uint32_t>(room),
                    room == 0 ? nullptr : pool_.allocate<Slot>(room),
                    won != nullptr && won->is_container ? container_of(*won).gone : nullptr,
                    extra,
                    before != nullptr && before->is_container ? container_of(*before).past : slot,
                    owner};
}

Slot Recording::computed_child(const MeetingNode& meeting, const Value& container, std::size_t index) {
  const auto member = [&](const Traced& side) -> Traced {
    const std::size_t position = find_member(side.value, container, index);
    if (position == Arena::npos) return {};
    return {side.value.is_sequence() ? side.value.items()[position] : side.value.entries()[position].value,
            child(side, position)};
  };
  const Traced old = member(meeting.old);
  const Traced incoming = member(meeting.incoming);
  if (!old.value && !incoming.value) return supplier(meeting.incoming.slot);
  return meet(meeting.meeting, old, incoming);
}

void Recording::release(Slot slot) {
  const Node* node = slot.node();
  if (node == nullptr || !node->is_container) return;
  const_cast<ContainerNode&>(container_of(*node)).owner =
      nullptr;  // NOLINT(cppcoreguidelines-pro-type-const-cast): as `own`
}

Slot* Recording::grow(ContainerNode& node, std::size_t front, std::size_t back) {
  if (node.front < front || node.back < back) {
    const std::size_t room_front = front == 0 ? node.front : std::max<std::size_t>(front, node.size);
    const std::size_t room_back = back == 0 ? node.back : std::max<std::size_t>(back, node.size);
    auto* slots = pool_.allocate<Slot>(room_front + node.size + room_back);
    if (node.size != 0) std::memcpy(static_cast<void*>(slots + room_front), node.children, node.size * sizeof(Slot));
    node.children = slots + room_front;
    node.front = static_cast<std::uint32_t>(room_front);
    node.back = static_cast<std::uint32_t>(room_back);
  }
  Slot* fresh = front != 0 ? node.children - front : node.children + node.size;
  node.children -= front;
  node.front -= static_cast<std::uint32_t>(front);
  node.back -= static_cast<std::uint32_t>(back);
  node.size += static_cast<std::uint32_t>(front + back);
  return fresh;
}

void Recording::append(ContainerNode& node, const Traced& items) {
  const std::size_t count = items.value.size();
  if (count == 0) return;
  Slot* fresh = grow(node, 0, count);
  for (std::size_t i = 0; i < count; ++i) fresh[i] = child(items, i);
}

void Recording::prepend(ContainerNode& node, const Traced& items) {
  const std::size_t count = items.value.size();
  if (count == 0) return;
  Slot* fresh = grow(node, count, 0);
  for (std::size_t i = 0; i < count; ++i) fresh[i] = child(items, i);
}

void Recording::insert_at(ContainerNode& node, std::size_t index, Slot slot) {
  append(node, slot);
  std::rotate(node.children + index, node.children + node.size - 1, node.children + node.size);
}

void Recording::erase_at(ContainerNode& node, std::size_t index) {
  std::copy(node.children + index + 1, node.children + node.size, node.children + index);
  --node.size;
  ++node.back;
}

void Recording::keep(ContainerNode& node, std::span<const bool> staying) {
  std::uint32_t left = 0;
  for (std::uint32_t i = 0; i < node.size; ++i) {
    if (staying[i]) node.children[left++] = node.children[i];
  }
  node.back += node.size - left;
  node.size = left;
}

detail::Extra& Recording::extra_of(ContainerNode& node) {
  if (node.extra == nullptr) node.extra = new (pool_.allocate<detail::Extra>()) detail::Extra{nullptr, nullptr};
  return *node.extra;
}

bool Recording::may_have_lost(Slot slot) const {
  const Node* node = slot.node();
  // Where a value is only said to follow a rule, or has met an empty list, nothing was lost.
  while (node != nullptr && !node->is_container && meeting_of(*node).meeting == Meeting::kept &&
         !meeting_of(*node).incoming.value && meeting_of(*node).incoming.slot.node() == nullptr) {
    node = meeting_of(*node).old.slot.node();
  }
  if (node == nullptr) return false;
  if (!node->is_container) return true;
  const ContainerNode& container = container_of(*node);
  // A shared container may yet lose something.
  if (container.owner != nullptr && container.owner == pool_.mark) return true;
  return container.gone != nullptr || detail::telling_merges_of(container) != nullptr ||
         container.past.node() != nullptr;
}

void Recording::merge_list(ContainerNode& node, ListAction action, const Traced& incoming) {
  const detail::ContainerMerge*& newest = extra_of(node).merges;
  auto* merge = new (pool_.allocate<detail::ContainerMerge>())
      detail::ContainerMerge{action, pool_.rule, incoming, newest, nullptr};
  const detail::ContainerMerge* known = newest == nullptr ? nullptr : newest->telling;
  merge->telling = may_have_lost(incoming.slot) ? merge : known;
  newest = merge;
}

void Recording::merge_mapping(ContainerNode& node, const Traced& incoming) {
  const Node* met = incoming.slot.node();
  if (met == nullptr) return;
  if (met->is_container) {
    const ContainerNode& container = container_of(*met);
    if (container.gone == nullptr && merges_of(container) == nullptr && container.past.node() == nullptr) return;
  }
  merge_list(node, ListAction::single, incoming);
}

Slot Recording::meet_empty(ListAction action, const Traced& list, const Traced& empty, const void* owner) {
  const Slot layer(supplier(empty.slot).layer());
  const Node* node = list.slot.node();
  if (node == nullptr || !node->is_container || container_of(*node).owner != owner) {
    return meet(Meeting::kept, {action, Loss::none}, list, {Value(), layer});
  }
  merge_list(*own(list, owner), action, {empty.value, layer});
  return list.slot;
}

void Recording::add_gone(ContainerNode& node, const detail::Gone& gone) {
  auto* made = new (pool_.allocate<detail::Gone>()) detail::Gone(gone);
  made->earlier = node.gone;
  node.gone = made;
}

const detail::Gone* Recording::look_for_gone(ContainerNode& node, const Value& key) {
  constexpr int kFew = 8;
  int looked_at = 0;
  for (const detail::Gone* gone = node.gone; gone != nullptr; gone = gone->earlier) {
    if (gone->key && equal(gone->key, key)) return gone;
    if (++looked_at == kFew) return find_in_index(node, key);
  }
  return nullptr;
}

const detail::Gone* Recording::find_in_index(ContainerNode& node, const Value& key) {
  detail::GoneIndex*& known = extra_of(node).gone_index;
  if (known == nullptr) {
    known = new (pool_.allocate<detail::GoneIndex>())
        detail::GoneIndex{.keys = pool_.arena.mapping(KeyEquality::exact), .last = nullptr};
  }
  detail::GoneIndex& index = *known;
  std::vector<const detail::Gone*> fresh;
  for (const detail::Gone* gone = node.gone; gone != index.last; gone = gone->earlier) fresh.push_back(gone);
  index.last = node.gone;
  for (auto gone = fresh.rbegin(); gone != fresh.rend(); ++gone) {
    if ((*gone)->key)
      Growable::insert(pool_.arena, index.keys, (*gone)->key,
                       Value::integer(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(*gone))));
  }
  const Value* found = index.keys.find(key);
  return found == nullptr ? nullptr
                          : reinterpret_cast<const detail::Gone*>(
                                static_cast<std::uintptr_t>(found->as_integer()));  // NOLINT(performance-no-int-to-ptr)
}

}  // namespace strata::merge
