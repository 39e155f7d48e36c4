// The merge itself, as one template over the recorder. Only merge.cpp builds it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>

#include "items_of.hpp"
#include "probe.hpp"
#include "recording.hpp"
#include "strata/error.hpp"
#include "strata/merge.hpp"

namespace strata::merge {

/// One run of the kernel.
///
/// Containers that carry `owner` were made by the same accumulator and are reached by it alone: they are changed in place, all others are copied
/// first, once.
template <class Recorder>
class Kernel {
 public:
  Kernel(Arena& arena, const Limits& limits, Recorder recorder, const Strategy& strategy, std::span<const Call> calls, const void* owner,
         Rooms* rooms, std::vector<Notice>* notices)
      : arena_(arena), limits_(limits), recorder_(recorder), strategy_(strategy), calls_(calls), owner_(owner), rooms_(rooms), notices_(notices) {}

  Traced run(const Traced& old, const Traced& incoming) { return meet(strategy_.root, old, incoming, 0); }

 private:
  template <class>
  friend class Kernel;
  using Meeting = detail::Meeting;

  /// A container that is being changed, with its history where one is kept.
  struct Open {
    Traced now;
    detail::Node* node = nullptr;
  };

  // Recursion: bounded by Limits::depth.
  Traced meet(const Strategy::Table& table, const Traced& old, const Traced& incoming, std::size_t depth) {
    const Action action = strategy_.at(table, old.value, incoming.value);
    switch (action) {
      case Action::keep_old:
        return kept(old, incoming);
      case Action::take_new:
        return took(old, incoming);
      case Action::take_new_noted:
        notice(action, old, incoming);
        return took(old, incoming);
      case Action::recurse:
        check_depth(limits_, depth);
        return members(old, incoming, depth);
      case Action::append:
        return add_items(old, incoming, true);
      case Action::prepend:
        return add_items(old, incoming, false);
      case Action::union_:
        return unite(old, incoming);
      case Action::by_index:
        check_depth(limits_, depth);
        return items(old, incoming, depth, false);
      case Action::by_index_extend:
        check_depth(limits_, depth);
        return items(old, incoming, depth, true);
      case Action::join:
        return joined(old, incoming);
      case Action::keys_as_items:
        notice(action, old, incoming);
        return meet(strategy_.root, old, {keys_of(arena_, incoming.value), recorder_.supplier(incoming.slot)}, depth);
      case Action::characters_as_items:
        notice(action, old, incoming);
        return meet(strategy_.root, old, {characters_of(arena_, limits_, incoming.value), recorder_.supplier(incoming.slot)}, depth);
      case Action::remove:
        return removed(old, incoming);
      case Action::self_merge:
        check_depth(limits_, depth);
        return took(old, with_itself(incoming, depth + 1));
      case Action::check_indexes:
        if (!has_indexes(old.value, incoming.value)) throw KindMismatch(old.value, incoming.value);
        return kept(old, incoming);
      case Action::fail:
        throw KindMismatch(old.value, incoming.value);
      default:
        return called(static_cast<std::size_t>(action) - kActions, old, incoming, depth);
    }
  }

  void notice(Action action, const Traced& old, const Traced& incoming) {
    if (notices_ != nullptr) notices_->push_back({.action = action, .old = old.value, .incoming = incoming.value});
  }

  Traced kept(const Traced& old, const Traced& incoming) {
    if constexpr (Recorder::kKeeps) {
      if (!incoming.value) return old;
      return {old.value, recorder_.meet(Meeting::kept, old, incoming)};
    } else {
      return old;
    }
  }

  Traced took(const Traced& old, const Traced& incoming) {
    if constexpr (Recorder::kKeeps) {
      if (!old.value) return incoming;
      return {incoming.value, recorder_.meet(Meeting::took, old, incoming)};
    } else {
      return incoming;
    }
  }

  Traced removed(const Traced& old, const Traced& incoming) {
    if constexpr (Recorder::kKeeps) return {Value(), recorder_.meet(Meeting::removed, old, incoming)};
    return {};
  }

  /// The container with a copy of its own that may be changed.
  Open open(const Traced& container, std::size_t more) {
    Open result{.now = container};
    if (Arena::owner(container.value) != owner_) {
      result.now.value = arena_.copy(container.value, more);
      Arena::set_owner(result.now.value, owner_);
    }
    if constexpr (Recorder::kKeeps) {
      result.node = recorder_.own(container, owner_);
      result.now.slot = Slot(result.node);
    }
    return result;
  }

  // Recursion: bounded by Limits::depth.
  Traced members(const Traced& old, const Traced& incoming, std::size_t depth) {
    if (incoming.value.size() == 0 && old.value.size() == 0) return kept(old, incoming);
    Open target{.now = old};
    bool is_open = false;
    const auto ensure_open = [&] {
      if (!is_open) target = open(old, incoming.value.size());
      is_open = true;
    };
    std::vector<std::size_t> erased;
    const auto entries = incoming.value.entries();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const Entry& entry = entries[i];
      const Traced arriving{taken(incoming.value, entry.value), recorder_.child(incoming, i)};
      const std::size_t position = Arena::index_of(target.now.value, entry.key);
      if (position == Arena::npos) {
        const Traced made = meet(strategy_.member, Traced{}, arriving, depth + 1);
        if (!made.value) {
          if constexpr (Recorder::kKeeps) {
            ensure_open();
            drop(target, entry.key, arriving);
          }
          continue;
        }
        ensure_open();
        arena_.insert(target.now.value, entry.key, made.value);
        if constexpr (Recorder::kKeeps) {
          const detail::Gone* gone = recorder_.find_gone(*target.node, entry.key);
          recorder_.append(*target.node, gone == nullptr ? made.slot : recorder_.meet(Meeting::took, gone->what, made));
        }
        continue;
      }
      const Traced present{target.now.value.entries()[position].value, recorder_.child(target.now, position)};
      const Traced made = meet(strategy_.member, present, arriving, depth + 1);
      if (!made.value) {
        ensure_open();
        erased.push_back(position);
        if constexpr (Recorder::kKeeps)
          recorder_.add_gone(*target.node, {.key = entry.key, .index = 0, .is_tail = false, .what = made, .earlier = nullptr});
        continue;
      }
      if constexpr (!Recorder::kKeeps) {
        if (same_node(made.value, present.value)) continue;
      }
      ensure_open();
      arena_.replace_entry(target.now.value, position, made.value);
      if constexpr (Recorder::kKeeps) target.node->children[position] = made.slot;
    }
    if (!erased.empty()) erase_entries(target, erased);
    return target.now;
  }

  /// A new member that is not taken: it is gone at once.
  void drop(Open& target, const Value& key, const Traced& arriving) {
    const detail::Gone* before = recorder_.find_gone(*target.node, key);
    const Traced what{Value(), recorder_.meet(Meeting::removed, before == nullptr ? Traced{} : before->what, arriving)};
    recorder_.add_gone(*target.node, {.key = key, .index = 0, .is_tail = false, .what = what, .earlier = nullptr});
  }

  /// Removes entries in one pass over the mapping.
  void erase_entries(Open& target, const std::vector<std::size_t>& erased) {
    const auto keep = std::make_unique<bool[]>(target.now.value.size());  // NOLINT(modernize-avoid-c-arrays): vector<bool> has no span
    std::fill_n(keep.get(), target.now.value.size(), true);
    for (const std::size_t position : erased) keep[position] = false;
    if constexpr (Recorder::kKeeps) {
      assert(target.node != nullptr && "a container that is open has its history");
      std::uint32_t kept = 0;
      for (std::uint32_t i = 0; i < target.node->size; ++i) {
        if (keep[i]) target.node->children[kept++] = target.node->children[i];
      }
      target.node->back += target.node->size - kept;
      target.node->size = kept;
    }
    arena_.keep_entries(target.now.value, {keep.get(), target.now.value.size()});
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

  Traced add_items(const Traced& old, const Traced& incoming, bool at_end) {
    if (incoming.value.size() == 0) return old.value.size() == 0 ? kept(old, incoming) : old;
    Open target = open(old, 0);
    if (at_end) {
      arena_.append(target.now.value, taken_items(incoming.value));
    } else {
      arena_.prepend(target.now.value, taken_items(incoming.value));
    }
    if constexpr (Recorder::kKeeps) {
      if (at_end) {
        recorder_.append(*target.node, incoming);
      } else {
        recorder_.prepend(*target.node, incoming);
      }
    }
    return target.now;
  }

  /// A value merged with itself. All of it comes from where the value came from.
  Traced with_itself(const Traced& incoming, std::size_t depth) {
    Kernel<NoRecording> inner(arena_, limits_, {}, strategy_, calls_, owner_, rooms_, notices_);
    inner.call_depth_ = call_depth_;
    const Value made = inner.meet(strategy_.root, {incoming.value, {}}, {incoming.value, {}}, depth).value;
    if (identical(made, incoming.value)) return incoming;
    return {made, recorder_.supplier(incoming.slot)};
  }

  /// Old items, then new ones, the first of equal items only. Scalars and texts are found by hash.
  Traced unite(const Traced& old, const Traced& incoming) {
    Traced result{arena_.sequence(old.value.size() + incoming.value.size()), {}};
    Arena::set_owner(result.value, owner_);
    detail::Node* node = nullptr;
    if constexpr (Recorder::kKeeps) {
      node = recorder_.succeed(old.slot, owner_);
      result.slot = Slot(node);
    }
    Arena scratch;
    const Value seen = scratch.mapping(KeyEquality::exact);
    for (const Traced* side : {&old, &incoming}) {
      const auto values = taken_items(side->value);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const Slot slot = recorder_.child(*side, i);
        const std::size_t position = Arena::index_of(seen, values[i]);
        if (position == Arena::npos) {
          scratch.insert(seen, values[i], Value::null());
          arena_.append(result.value, values[i]);
          if constexpr (Recorder::kKeeps) recorder_.append(*node, slot);
        } else if constexpr (Recorder::kKeeps) {
          node->children[position] = recorder_.meet(Meeting::kept, {result.value.items()[position], node->children[position]}, {values[i], slot});
        }
      }
    }
    result.value = result.value.with_origin(old.value.origin()).with_secret(old.value.is_secret());
    return result;
  }

  // Recursion: bounded by Limits::depth.
  Traced items(const Traced& old, const Traced& incoming, std::size_t depth, bool extend) {
    const std::size_t common = std::min(old.value.size(), incoming.value.size());
    if (incoming.value.size() == 0) return old.value.size() == 0 ? kept(old, incoming) : old;
    Open target = open(old, 0);
    bool any_removed = false;
    for (std::size_t i = 0; i < common; ++i) {
      const Traced present{target.now.value.items()[i], recorder_.child(target.now, i)};
      const Traced arriving{taken(incoming.value, incoming.value.items()[i]), recorder_.child(incoming, i)};
      const Traced made = meet(strategy_.item, present, arriving, depth + 1);
      if (!made.value) {
        any_removed = true;
        if constexpr (Recorder::kKeeps) recorder_.add_gone(*target.node, {.key = {}, .index = i, .is_tail = false, .what = made, .earlier = nullptr});
      }
      arena_.replace(target.now.value, i, made.value);
      if constexpr (Recorder::kKeeps) target.node->children[i] = made.slot;
    }
    if (any_removed) erase_items(target);
    if (incoming.value.size() == common) return target.now;
    if (!extend) notice(Action::by_index, old, incoming);
    if (extend) {
      for (std::size_t i = common; i < incoming.value.size(); ++i) {
        arena_.append(target.now.value, taken(incoming.value, incoming.value.items()[i]));
        if constexpr (Recorder::kKeeps) recorder_.append(*target.node, recorder_.child(incoming, i));
      }
    } else if constexpr (Recorder::kKeeps) {
      recorder_.add_gone(*target.node, {.key = {}, .index = common, .is_tail = true, .what = incoming, .earlier = nullptr});
    }
    return target.now;
  }

  /// Removes the items that are absent now, in one pass.
  void erase_items(Open& target) {
    std::vector<Value> left;
    std::uint32_t kept = 0;
    for (std::size_t i = 0; i < target.now.value.size(); ++i) {
      const Value item = target.now.value.items()[i];
      if (!item) continue;
      left.push_back(item);
      if constexpr (Recorder::kKeeps) target.node->children[kept++] = target.node->children[i];
    }
    if constexpr (Recorder::kKeeps) {
      target.node->back += target.node->size - kept;
      target.node->size = kept;
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
    if constexpr (Recorder::kKeeps) return {result, recorder_.meet(Meeting::merged, old, incoming)};
    return {result, {}};
  }

  /// A text that may grow to `size`: the same one where an earlier join made it, so that joining n texts costs what they hold together.
  Value with_room(const Value& text, std::size_t size) {
    if (rooms_ == nullptr) return arena_.text_with_room(text.text(), size);
    const auto room = rooms_->find(text.text().data());
    if (room != rooms_->end()) {
      if (room->second >= size) return text;
      rooms_->erase(room);
    }
    const Value made = arena_.text_with_room(text.text(), size * 2);
    rooms_->emplace(made.text().data(), size * 2);
    return made;
  }

  Traced called(std::size_t n, const Traced& old, const Traced& incoming, std::size_t depth) {
    assert(n < calls_.size() && "a strategy comes with its functions");
    if (call_depth_ >= kCallDepth) {
      throw Error("limit.depth", fmt::format("merge functions call each other deeper than {} levels", kCallDepth));
    }
    // What a function merges by itself is not owned by the accumulator: it may keep both sides. It may also go on after an Error.
    const Recurse recurse = [this, depth](const Value& left, const Value& right) {
      Kernel inner(arena_, limits_, recorder_, strategy_, calls_, arena_.new_owner(), nullptr, notices_);
      inner.call_depth_ = call_depth_ + 1;
      return inner.meet(strategy_.root, {left, {}}, {right, {}}, depth + 1).value;
    };
    Value made = calls_[n](arena_, old.value, incoming.value, recurse);
    if (!made) return removed(old, incoming);
    if (same_node(made, old.value)) return kept(old, incoming);
    if (same_node(made, incoming.value)) return took(old, incoming);
    if (!made.origin()) made = made.with_origin(incoming.value.origin());
    if (old.value.is_secret() || incoming.value.is_secret()) made = made.with_secret();
    if constexpr (Recorder::kKeeps) return {made, recorder_.meet(Meeting::merged, old, incoming)};
    return {made, {}};
  }

  static constexpr std::size_t kCallDepth = 100;

  Arena& arena_;
  const Limits& limits_;
  [[no_unique_address]] Recorder recorder_;
  const Strategy& strategy_;
  std::span<const Call> calls_;
  const void* owner_;
  Rooms* rooms_;
  std::vector<Notice>* notices_;
  std::size_t call_depth_ = 0;
};

}  // namespace strata::merge
