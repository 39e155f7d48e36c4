#include "recording.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <vector>

namespace strata::merge {

using detail::Meeting;
using detail::Node;

std::size_t Recording::find_member(const Value& container, const Value& like, std::size_t index) {
  if (container.kind() != like.kind()) return Arena::npos;
  if (container.is_sequence()) return index < container.size() ? index : Arena::npos;
  return Arena::index_of(container, like.entries()[index].key);
}

Slot Recording::child(const Traced& parent, std::size_t index) {
  Traced here = parent;
  for (const Node* node = here.slot.node(); node != nullptr; node = here.slot.node()) {
    if (node->is_container) {
      assert(index < node->size);
      return node->children[index];
    }
    if (node->meeting == Meeting::merged) {
      // Computed from both: the side that has such a member hands on.
      const std::size_t in_old = find_member(node->old.value, here.value, index);
      const std::size_t in_new = in_old != Arena::npos ? Arena::npos : find_member(node->incoming.value, here.value, index);
      if (in_old == Arena::npos && in_new == Arena::npos) return supplier(here.slot);
      here = in_old != Arena::npos ? node->old : node->incoming;
      index = in_old != Arena::npos ? in_old : in_new;
    } else {
      // The side whose value is there hands on.
      here.slot = (node->meeting == Meeting::took ? node->incoming : node->old).slot;
    }
  }
  return Slot(here.slot.layer());
}

Slot Recording::supplier(Slot slot) {
  const Node* node = slot.node();
  while (node != nullptr) {
    if (node->is_container) {
      slot = node->past;
    } else {
      slot = node->meeting == Meeting::kept ? node->old.slot : node->incoming.slot;
    }
    node = slot.node();
  }
  return slot;
}

Node* Recording::new_node(bool is_container) {
  auto* node = static_cast<Node*>(memory_.allocate(sizeof(Node), alignof(Node)));
  return new (node) Node{.is_container = is_container,
                         .meeting = Meeting::took,
                         .old = {},
                         .incoming = {},
                         .children = nullptr,
                         .size = 0,
                         .front = 0,
                         .back = 0,
                         .gone = nullptr,
                         .gone_index = {},
                         .indexed = nullptr,
                         .past = {},
                         .owner = nullptr};
}

Slot Recording::meet(Meeting meeting, const Traced& old, const Traced& incoming) {
  Node* node = new_node(false);
  node->meeting = meeting;
  node->old = old;
  node->incoming = incoming;
  return Slot(node);
}

const Node* Recording::winner(Slot slot) {
  const Node* node = slot.node();
  while (node != nullptr && !node->is_container && node->meeting != Meeting::merged) {
    node = (node->meeting == Meeting::took ? node->incoming : node->old).slot.node();
  }
  return node;
}

Node* Recording::own(const Traced& container, const void* owner) {
  const Node* before = container.slot.node();
  if (before != nullptr && before->is_container && before->owner == owner) return const_cast<Node*>(before);  // NOLINT: owned
  Node* node = succeed(container.slot, owner);
  const Node* computed = winner(container.slot);
  const std::size_t size = container.value.size();
  grow(*node, 0, size);
  for (std::size_t i = 0; i < size; ++i) {
    node->children[i] = computed == nullptr || computed->is_container ? child(container, i) : computed_child(*computed, container.value, i);
  }
  return node;
}

Node* Recording::succeed(Slot slot, const void* owner) {
  Node* node = new_node(true);
  node->owner = owner;
  const Node* before = slot.node();
  node->past = before != nullptr && before->is_container ? before->past : slot;
  // What the side that won had lost before stays known.
  const Node* container = winner(slot);
  if (container != nullptr && container->is_container) node->gone = container->gone;
  return node;
}

Slot Recording::computed_child(const Node& meeting, const Value& container, std::size_t index) {
  const auto member = [&](const Traced& side) -> Traced {
    const std::size_t position = find_member(side.value, container, index);
    if (position == Arena::npos) return {};
    return {side.value.is_sequence() ? side.value.items()[position] : side.value.entries()[position].value, child(side, position)};
  };
  const Traced old = member(meeting.old);
  const Traced incoming = member(meeting.incoming);
  if (!old.value && !incoming.value) return supplier(meeting.incoming.slot);
  return meet(Meeting::merged, old, incoming);
}

void Recording::release(Slot slot) {
  if (const Node* node = slot.node(); node != nullptr && node->is_container) const_cast<Node*>(node)->owner = nullptr;  // NOLINT: as `own`
}

Slot* Recording::grow(Node& node, std::size_t front, std::size_t back) {
  if (node.front < front || node.back < back) {
    const std::size_t room_front = front == 0 ? node.front : std::max<std::size_t>(front, node.size);
    const std::size_t room_back = back == 0 ? node.back : std::max<std::size_t>(back, node.size);
    auto* slots = static_cast<Slot*>(memory_.allocate((room_front + node.size + room_back) * sizeof(Slot), alignof(Slot)));
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

void Recording::append(Node& node, const Traced& items) {
  const std::size_t count = items.value.size();
  if (count == 0) return;
  Slot* fresh = grow(node, 0, count);
  for (std::size_t i = 0; i < count; ++i) fresh[i] = child(items, i);
}

void Recording::prepend(Node& node, const Traced& items) {
  const std::size_t count = items.value.size();
  if (count == 0) return;
  Slot* fresh = grow(node, count, 0);
  for (std::size_t i = 0; i < count; ++i) fresh[i] = child(items, i);
}

void Recording::insert_at(Node& node, std::size_t index, Slot slot) {
  append(node, slot);
  std::rotate(node.children + index, node.children + node.size - 1, node.children + node.size);
}

void Recording::erase_at(Node& node, std::size_t index) {
  std::copy(node.children + index + 1, node.children + node.size, node.children + index);
  --node.size;
  ++node.back;
}

void Recording::add_gone(Node& node, const detail::Gone& gone) {
  auto* made = new (memory_.allocate(sizeof(detail::Gone), alignof(detail::Gone))) detail::Gone(gone);
  made->earlier = node.gone;
  node.gone = made;
}

const detail::Gone* Recording::find_gone(Node& node, const Value& key) {
  constexpr int kFew = 8;
  int looked_at = 0;
  for (const detail::Gone* gone = node.gone; gone != nullptr; gone = gone->earlier) {
    if (gone->key && equal(gone->key, key)) return gone;
    if (++looked_at == kFew) return find_in_index(node, key);
  }
  return nullptr;
}

const detail::Gone* Recording::find_in_index(Node& node, const Value& key) {
  if (!node.gone_index) node.gone_index = arena_.mapping(KeyEquality::exact);
  std::vector<const detail::Gone*> fresh;
  for (const detail::Gone* gone = node.gone; gone != node.indexed; gone = gone->earlier) fresh.push_back(gone);
  node.indexed = node.gone;
  for (auto gone = fresh.rbegin(); gone != fresh.rend(); ++gone) {
    if ((*gone)->key)
      arena_.insert(node.gone_index, (*gone)->key, Value::integer(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(*gone))));
  }
  const Value* found = node.gone_index.find(key);
  return found == nullptr
             ? nullptr
             : reinterpret_cast<const detail::Gone*>(static_cast<std::uintptr_t>(found->as_integer()));  // NOLINT(performance-no-int-to-ptr)
}

}  // namespace strata::merge
