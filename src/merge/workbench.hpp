// What every action of the kernel works with: where values are made, what is recorded, which containers may be changed in place.
#pragma once

#include <span>
#include <vector>

#include "knockout.hpp"
#include "recording.hpp"
#include "strata/merge.hpp"

namespace strata::merge {

/// Containers that carry `owner` were made by the same accumulator and are reached by it alone: they are changed in place, all others are copied
/// first, once.
template <class Policy>
class Workbench {
 public:
  Workbench(Arena& arena, const Limits& limits, const Sources& sources, Policy policy, const Strategy& strategy, const void* owner,
            std::vector<Notice>* notices, const StripPrefix* strip)
      : arena_(arena),
        limits_(limits),
        sources_(sources),
        policy_(policy),
        strategy_(strategy),
        owner_(owner),
        notices_(notices),
        strip_(strip),
        knockout_(strategy.lists, strip) {}

 protected:
  using Meeting = detail::Meeting;

  /// A container that is being changed, with its history where one is kept.
  struct Open {
    Traced now;
    detail::ContainerNode* node = nullptr;
  };

  void notice(Action action, const Value& old, const Value& incoming) {
    if (notices_ != nullptr) notices_->push_back({.action = action, .old = old, .incoming = incoming});
  }

  Traced kept(const Traced& old, const Traced& incoming) {
    if constexpr (Policy::kKeeps) {
      if (!incoming.value) return old;
      return {old.value, policy_.meet(Meeting::kept, old, incoming)};
    } else {
      return old;
    }
  }

  Traced took(const Traced& old, const Traced& incoming) {
    if constexpr (Policy::kKeeps) {
      if (!old.value) return incoming;
      return {incoming.value, policy_.meet(Meeting::took, old, incoming)};
    } else {
      return incoming;
    }
  }

  Traced removed(const Traced& old, const Traced& incoming) {
    if constexpr (Policy::kKeeps) return {Value(), policy_.meet(Meeting::removed, old, incoming)};
    return {};
  }

  /// The container with a copy of its own that may be changed.
  Open open(const Traced& container, std::size_t more) {
    Open result{.now = container};
    if (Arena::owner(container.value) != owner_) {
      result.now.value = arena_.copy(container.value, more);
      Arena::set_owner(result.now.value, owner_);
    }
    if constexpr (Policy::kKeeps) {
      result.node = policy_.own(container, owner_, more);
      result.now.slot = Slot(result.node);
    }
    return result;
  }

  /// A new sequence at the place of another one.
  Open begin_list(const Traced& before, std::size_t capacity) {
    Open list{.now = {arena_.sequence(capacity).with_origin(before.value.origin()).with_secret(before.value.is_secret()), {}}};
    Arena::set_owner(list.now.value, owner_);
    if constexpr (Policy::kKeeps) {
      list.node = policy_.succeed(before.slot, owner_, capacity);
      list.now.slot = Slot(list.node);
    }
    return list;
  }

  void add(Open& list, const Traced& item) {
    arena_.append(list.now.value, item.value);
    if constexpr (Policy::kKeeps) policy_.append(*list.node, item.slot);
  }

  /// Remembers an item that did not make it into a list, or no longer is in it.
  void add_gone(Open& list, std::size_t index, const Traced& item, const Traced& by) {
    if constexpr (Policy::kKeeps) {
      policy_.add_gone(*list.node, {.key = {}, .index = index, .is_tail = false, .what = removed(item, by), .earlier = nullptr});
    }
  }

  static bool same_node(const Value& left, const Value& right) { return __builtin_memcmp(&left, &right, sizeof(Value)) == 0; }

  /// A member of a container, as it goes to another one: the members of what is secret are secret.
  static Value taken(const Value& container, const Value& member) { return container.is_secret() ? member.with_secret() : member; }

  /// The items of a sequence, as they go to another one.
  std::span<const Value> taken_items(const Value& sequence) {
    if (!sequence.is_secret()) return sequence.items();
    const Value marked = arena_.sequence(sequence.size());
    for (const Value& item : sequence.items()) arena_.append(marked, item.with_secret());
    return marked.items();
  }

  Arena& arena_;
  const Limits& limits_;
  const Sources& sources_;
  [[no_unique_address]] Policy policy_;
  const Strategy& strategy_;
  const void* owner_;
  std::vector<Notice>* notices_;
  const StripPrefix* strip_;
  Knockout knockout_;
};

}  // namespace strata::merge
