// The merge itself, as one template over the recorder. Only merge.cpp builds it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>

#include "items_of.hpp"
#include "members.hpp"
#include "probe.hpp"
#include "strata/error.hpp"

namespace strata::merge {

/// One run of the kernel.
template <class Policy>
class Kernel : public Members<Policy> {
 public:
  Kernel(Arena& arena, const Limits& limits, const Sources& sources, Policy policy, const Strategy& strategy, std::span<const Call> calls,
         const void* owner, Rooms* rooms, std::vector<Notice>* notices, const StripPrefix* strip)
      : Base(arena, limits, sources, policy, strategy, owner, notices, strip), calls_(calls), rooms_(rooms) {}

  Traced run(const Traced& old, const Traced& incoming) { return meet(strategy_.root, old, incoming, 0); }

 private:
  template <class>
  friend class Kernel;
  using Base = Members<Policy>;
  using Base::arena_, Base::limits_, Base::sources_, Base::policy_, Base::strategy_, Base::owner_, Base::notices_, Base::strip_, Base::knockout_;
  using Base::kept, Base::notice, Base::open, Base::removed, Base::same_node, Base::taken, Base::taken_items, Base::took;
  using typename Base::Change;
  using typename Base::Meeting;
  using typename Base::Open;

  // Recursion: bounded by Limits::depth.
  Traced meet(const Strategy::Table& table, const Traced& old, const Traced& incoming, std::size_t depth) {
    const Action action = strategy_.at(table, old.value, incoming.value);
    switch (action) {
      case Action::keep_old:
        return kept(old, incoming);
      case Action::take_new:
        return took(old, incoming);
      case Action::take_new_noted:
        notice(action, old.value, incoming.value);
        return took(old, incoming);
      case Action::recurse:
        check_depth(limits_, depth);
        return this->members(old, incoming,
                             [&](const Traced& present, const Traced& arriving) { return meet(strategy_.member, present, arriving, depth + 1); });
      case Action::append:
        return add_items(old, incoming, true);
      case Action::prepend:
        return add_items(old, incoming, false);
      case Action::union_:
        return this->unite(old, incoming);
      case Action::by_index:
        check_depth(limits_, depth);
        return items(old, incoming, depth, false);
      case Action::by_index_extend:
        check_depth(limits_, depth);
        return items(old, incoming, depth, true);
      case Action::join:
        return joined(old, incoming);
      case Action::keys_as_items:
        notice(action, old.value, incoming.value);
        return meet(strategy_.root, old, {keys_of(arena_, incoming.value), policy_.supplier(incoming.slot)}, depth);
      case Action::characters_as_items:
        notice(action, old.value, incoming.value);
        return meet(strategy_.root, old, {characters_of(arena_, limits_, incoming.value), policy_.supplier(incoming.slot)}, depth);
      case Action::remove:
        return removed(old, incoming);
      case Action::self_merge:
        check_depth(limits_, depth);
        return took(old, with_itself(incoming, depth + 1));
      case Action::self_merge_rest:
        check_depth(limits_, depth);
        return took(old, this->rest_with_itself(incoming, depth));
      case Action::merge_lists:
        check_depth(limits_, depth);
        return this->merge_lists(old, incoming, Sides::two,
                                 [&](const Traced& left, const Traced& right) { return meet(strategy_.item, left, right, depth + 1); });
      case Action::take_list:
        return this->take_list(old, incoming);
      case Action::take_text:
        return this->take_text(old, incoming);
      case Action::check_indexes:
        if (!has_indexes(old.value, incoming.value)) throw KindMismatch(old.value, incoming.value, sources_);
        return kept(old, incoming);
      case Action::fail:
        throw KindMismatch(old.value, incoming.value, sources_);
      default:
        return called(static_cast<std::size_t>(action) - kActions, old, incoming, depth);
    }
  }

  Traced add_items(const Traced& old, const Traced& incoming, bool at_end) {
    if (incoming.value.size() == 0) return old.value.size() == 0 ? kept(old, incoming) : old;
    Open target = open(old, 0);
    if (at_end) {
      arena_.append(target.now.value, taken_items(incoming.value));
    } else {
      arena_.prepend(target.now.value, taken_items(incoming.value));
    }
    if constexpr (Policy::kKeeps) {
      if (at_end) {
        policy_.append(*target.node, incoming);
      } else {
        policy_.prepend(*target.node, incoming);
      }
    }
    return target.now;
  }

  /// A value merged with itself.
  Traced with_itself(const Traced& incoming, std::size_t depth) {
    switch (this->change(strategy_.root, incoming.value, depth)) {
      case Change::none:
        return incoming;
      case Change::some:
        return this->reworked(strategy_.root, incoming, depth, Sides::copy);
      case Change::unknown:
        break;
    }
    // All of it comes from where the value came from.
    Kernel<NoRecording> inner(arena_, limits_, sources_, {}, strategy_, calls_, owner_, rooms_, notices_, strip_);
    inner.call_depth_ = call_depth_;
    const Value made = inner.meet(strategy_.root, {incoming.value, {}}, {incoming.value, {}}, depth).value;
    if (identical(made, incoming.value)) return incoming;
    return {made, policy_.supplier(incoming.slot)};
  }

  /// A mapping whose members but the first are merged with themselves.
  Traced rest_with_itself(const Traced& incoming, std::size_t depth) {
    if (incoming.value.size() < 2) return incoming;
    switch (this->members_change(incoming.value, 1, depth)) {
      case Change::none:
        return incoming;
      case Change::some:
        return this->reworked_members(incoming, 1, depth);
      case Change::unknown:
        break;
    }
    Kernel<NoRecording> inner(arena_, limits_, sources_, {}, strategy_, calls_, owner_, rooms_, notices_, strip_);
    inner.call_depth_ = call_depth_;
    const Value made = arena_.mapping(Arena::equality(incoming.value), incoming.value.size());
    for (std::size_t i = 0; i < incoming.value.size(); ++i) {
      const Entry& entry = incoming.value.entries()[i];
      const Value member = i == 0 ? entry.value : inner.meet(strategy_.member, {entry.value, {}}, {entry.value, {}}, depth + 1).value;
      if (member) arena_.insert(made, entry.key, member);
    }
    return {made.with_origin(incoming.value.origin()).with_secret(incoming.value.is_secret()), policy_.supplier(incoming.slot)};
  }

  // Recursion: bounded by Limits::depth.
  Traced items(const Traced& old, const Traced& incoming, std::size_t depth, bool extend) {
    const std::size_t common = std::min(old.value.size(), incoming.value.size());
    if (incoming.value.size() == 0) return old.value.size() == 0 ? kept(old, incoming) : old;
    Open target = open(old, 0);
    bool any_removed = false;
    for (std::size_t i = 0; i < common; ++i) {
      const Traced present{target.now.value.items()[i], policy_.child(target.now, i)};
      const Traced arriving{taken(incoming.value, incoming.value.items()[i]), policy_.child(incoming, i)};
      const Traced made = meet(strategy_.item, present, arriving, depth + 1);
      if (!made.value) {
        any_removed = true;
        if constexpr (Policy::kKeeps) policy_.add_gone(*target.node, {.key = {}, .index = i, .is_tail = false, .what = made, .earlier = nullptr});
      }
      arena_.replace(target.now.value, i, made.value);
      if constexpr (Policy::kKeeps) target.node->children[i] = made.slot;
    }
    if (any_removed) erase_items(target);
    if (incoming.value.size() == common) return target.now;
    if (!extend) notice(Action::by_index, old.value, incoming.value);
    if (extend) {
      for (std::size_t i = common; i < incoming.value.size(); ++i) {
        arena_.append(target.now.value, taken(incoming.value, incoming.value.items()[i]));
        if constexpr (Policy::kKeeps) policy_.append(*target.node, policy_.child(incoming, i));
      }
    } else if constexpr (Policy::kKeeps) {
      policy_.add_gone(*target.node, {.key = {}, .index = common, .is_tail = true, .what = incoming, .earlier = nullptr});
    }
    return target.now;
  }

  /// Removes the items that are absent now, in one pass.
  void erase_items(Open& target) {
    std::vector<Value> left;
    std::uint32_t staying = 0;
    for (std::size_t i = 0; i < target.now.value.size(); ++i) {
      const Value item = target.now.value.items()[i];
      if (!item) continue;
      left.push_back(item);
      if constexpr (Policy::kKeeps) target.node->children[staying++] = target.node->children[i];
    }
    if constexpr (Policy::kKeeps) {
      target.node->back += target.node->size - staying;
      target.node->size = staying;
    }
    const Value before = target.now.value;
    target.now.value = arena_.sequence(left).with_origin(before.origin()).with_secret(before.is_secret());
    Arena::set_owner(target.now.value, owner_);
  }

  Traced joined(const Traced& old, const Traced& incoming) {
    const std::size_t size = joined_size(strategy_, limits_, old.value, incoming.value);
    const Value text = with_room(old.value, size);
    Arena::append_text(text, strategy_.separator);
    Arena::append_text(text, incoming.value.text());
    const Value result = text.with_origin(incoming.value.origin()).with_secret(old.value.is_secret() || incoming.value.is_secret());
    if constexpr (Policy::kKeeps) return {result, policy_.meet(Meeting::merged, old, incoming)};
    return {result, {}};
  }

  /// A text that may grow to `size`: the same one where an earlier join made it, so that joining n texts costs what they hold together.
  Value with_room(const Value& text, std::size_t size) {
    if (rooms_ == nullptr) return arena_.text_with_room(text.text(), size);
    const auto room = rooms_->find(text.text().data());
    if (room != rooms_->end()) {
      if (room->second >= size) return text;
    }
    const Value made = arena_.text_with_room(text.text(), size * 2);
    if (room == rooms_->end()) {
      rooms_->emplace(made.text().data(), size * 2);
    } else {  // The text moves to a larger room.
      auto moved = rooms_->extract(room);
      moved.key() = made.text().data();
      moved.mapped() = size * 2;
      rooms_->insert(std::move(moved));
    }
    return made;
  }

  Traced called(std::size_t n, const Traced& old, const Traced& incoming, std::size_t depth) {
    assert(n < calls_.size() && "a strategy comes with its functions");
    if (call_depth_ >= kCallDepth) {
      throw Error("limit.depth", fmt::format("merge functions call each other deeper than {} levels", kCallDepth));
    }
    // What a function merges by itself is not owned by the accumulator: it may keep both sides. It may also go on after an Error.
    const Recurse recurse = [this, depth](const Value& left, const Value& right) {
      Kernel inner(arena_, limits_, sources_, policy_, strategy_, calls_, arena_.new_owner(), nullptr, notices_, strip_);
      inner.call_depth_ = call_depth_ + 1;
      return inner.meet(strategy_.root, {left, {}}, {right, {}}, depth + 1).value;
    };
    Value made = calls_[n](arena_, old.value, incoming.value, recurse);
    if (!made) return removed(old, incoming);
    if (same_node(made, old.value)) return kept(old, incoming);
    if (same_node(made, incoming.value)) return took(old, incoming);
    if (!made.origin()) made = made.with_origin(incoming.value.origin());
    if (old.value.is_secret() || incoming.value.is_secret()) made = made.with_secret();
    if constexpr (Policy::kKeeps) return {made, policy_.meet(Meeting::merged, old, incoming)};
    return {made, {}};
  }

  static constexpr std::size_t kCallDepth = 100;

  std::span<const Call> calls_;
  Rooms* rooms_;
  std::size_t call_depth_ = 0;
};

}  // namespace strata::merge
