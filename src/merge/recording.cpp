#include "recording.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace strata::merge {

using detail::Meeting;
using detail::Node;

Slot Recording::child(const Traced& parent, std::size_t index) {
  const Node* node = parent.slot.node();
  // A meeting hands on to the side whose value is there.
  while (node != nullptr && !node->is_container) {
    const Slot side = node->meeting == Meeting::took ? node->incoming.slot : node->old.slot;
    node = side.node();
    if (node == nullptr) return Slot(side.layer());
  }
  if (node == nullptr) return Slot(parent.slot.layer());
  assert(index < node->size);
  return node->children[index];
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

Node* Recording::own(const Traced& container, const void* owner) {
  const Node* before = container.slot.node();
  if (before != nullptr && before->is_container && before->owner == owner) return const_cast<Node*>(before);  // NOLINT: owned
  Node* node = new_node(true);
  node->owner = owner;
  node->past = container.slot;
  // What the side that won had lost before stays known.
  const Node* winner = before;
  while (winner != nullptr && !winner->is_container) winner = (winner->meeting == Meeting::took ? winner->incoming : winner->old).slot.node();
  if (winner != nullptr) node->gone = winner->gone;
  if (before != nullptr && before->is_container) node->past = before->past;
  const std::size_t size = container.value.size();
  grow(*node, 0, size);
  for (std::size_t i = 0; i < size; ++i) node->children[i] = child(container, i);
  return node;
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

const detail::Gone* Recording::find_gone(const Node& node, const Value& key) {
  for (const detail::Gone* gone = node.gone; gone != nullptr; gone = gone->earlier) {
    if (gone->key && equal(gone->key, key)) return gone;
  }
  return nullptr;
}

}  // namespace strata::merge
