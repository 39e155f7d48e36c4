// SPDX-License-Identifier: Apache-2.0
// The merge kernel, as a template over the recorder. Only merge.cpp and settle.cpp instantiate it. kernel.hpp
// dispatches actions; the actions on mappings, lists and self-merges are in kernel_mappings.hpp, kernel_lists.hpp and
// kernel_self_merge.hpp.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "distinct.hpp"
#include "dry_run.hpp"
#include "items_of.hpp"
#include "knockout.hpp"
#include "pending.hpp"
#include "recording.hpp"
#include "strata/builder.hpp"
#include "strata/error.hpp"
#include "strata/merge.hpp"
#include "strata/stack.hpp"
#include "strata/stop.hpp"
#include "strata/traced.hpp"
#include "uninitialized_array.hpp"
#include "value/growable.hpp"

namespace strata::merge {

/// The inputs of one merge. All of them outlive the kernel.
struct MergeInputs {
  Arena& arena;
  const Limits& limits;
  Recorder& recorder;
  const Strategy& strategy;
  std::span<const Call> calls;
  std::vector<Notice>* notices;
  const StripPrefix* strip;
  StopCheck& stop;
};

/// One run of the kernel. `Policy` is NoRecording or Recording.
///
/// Containers with `owner` were made by the same accumulator and are reachable only from it: they are changed in place.
/// All other containers are copied once before they are changed.
template <class Policy>
class Kernel {
 public:
  /// `capacities`: of the accumulator's texts. Null: none.
  Kernel(const MergeInputs& inputs, Policy policy, const void* owner, TextCapacities* capacities)
      : inputs_(inputs),
        arena_(inputs.arena),
        strategy_(inputs.strategy),
        policy_(policy),
        owner_(owner),
        capacities_(capacities),
        knockout_(inputs.strategy.lists, inputs.strip),
        stop_(inputs.stop) {}

  Traced run(const Traced& old, const Traced& incoming) { return meet<&Strategy::root>(old, incoming, 0); }
  /// Two sides that have waited, at their place. `table`: a table of the strategy.
  Traced settle_two(Strategy::Table Strategy::*table, const Traced& old, const Traced& incoming, std::size_t depth) {
    Action action = strategy_.at(strategy_.*table, old.value, incoming.value);
    if (action == Action::wait) action = Action::take_new;
    if (table == &Strategy::root) return act<&Strategy::root>(action, old, incoming, depth);
    if (table == &Strategy::item) return act<&Strategy::item>(action, old, incoming, depth);
    return act<&Strategy::member>(action, old, incoming, depth);
  }

 private:
  template <class>
  friend class Kernel;
  using Meeting = detail::Meeting;

  /// A container that is being changed, with its history if one is recorded.
  struct Open {
    Traced now;
    detail::ContainerNode* node = nullptr;
  };

  /// `kTable`: the table of the strategy that decides. A parameter of the template, so that it takes no register.
  // Recursion: bounded by Limits::depth.
  template <Strategy::Table Strategy::*kTable>
  Traced meet(const Traced& old, const Traced& incoming, std::size_t depth) {
    return act<kTable>(strategy_.at(strategy_.*kTable, old.value, incoming.value), old, incoming, depth);
  }

  /// `kTable`: where the action was found.
  template <Strategy::Table Strategy::*kTable>
  [[gnu::always_inline]] Traced act(Action action, const Traced& old, const Traced& incoming, std::size_t depth) {
    switch (action) {
      case Action::keep_old:
        return kept(old, incoming);
      case Action::take_new:
        return took(old, incoming);
      case Action::take_new_noted:
        notice(action, old.value, incoming.value);
        return took(old, incoming);
      case Action::keep_old_noted:
        notice(action, old.value, incoming.value);
        return kept(old, incoming);
      case Action::recurse:
        check_depth(old.value, incoming.value, depth);
        return merge_members(old, incoming, depth);
      case Action::append:
        return add_items(old, incoming, true);
      case Action::prepend:
        return add_items(old, incoming, false);
      case Action::union_:
        return unite(old, incoming);
      case Action::by_index:
        check_depth(old.value, incoming.value, depth);
        return merge_items(old, incoming, depth, false);
      case Action::by_index_extend:
        check_depth(old.value, incoming.value, depth);
        return merge_items(old, incoming, depth, true);
      case Action::join:
        return joined(old, incoming);
      case Action::keys_as_items:
        notice(action, old.value, incoming.value);
        return without_members(
            meet<&Strategy::root>(old, {keys_of(arena_, incoming.value), policy_.supplier(incoming.slot)}, depth),
            incoming);
      case Action::characters_as_items:
        notice(action, old.value, incoming.value);
        return meet<&Strategy::root>(
            old, {characters_of(arena_, inputs_.limits, incoming.value, stop_), policy_.supplier(incoming.slot)},
            depth);
      case Action::remove:
        return removed(old, incoming);
      case Action::self_merge:
        check_depth(old.value, incoming.value, depth);
        return took(old, with_itself(incoming, depth + 1));
      case Action::self_merge_rest:
        check_depth(old.value, incoming.value, depth);
        return took(old, rest_with_itself(incoming, depth));
      case Action::merge_lists:
        check_depth(old.value, incoming.value, depth);
        return merge_lists(old, incoming, Sides::two, [&](const Traced& left, const Traced& right) {
          return meet<&Strategy::item>(left, right, depth + 1);
        });
      case Action::take_list:
        return take_list(old, incoming);
      case Action::take_text:
        return take_text(old, incoming);
      case Action::check_indexes:
        if (!has_indexes(old.value, incoming.value))
          throw KindMismatch(old.value, incoming.value, inputs_.recorder.sources());
        return kept(old, incoming);
      case Action::wait:
        return waiting(kTable, old, incoming, depth);
      case Action::fail:
        throw KindMismatch(old.value, incoming.value, inputs_.recorder.sources());
      default:
        return called(static_cast<std::size_t>(action) - kActions, old, incoming, depth);
    }
  }

  // Results of meetings, and their recording.

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

  /// `item` is removed by a knockout prefix: its own, or that of `by`.
  Traced knocked_out(const Traced& item, const Traced& by) { return gone(item, by, Loss::knocked_out); }
  Traced gone(const Traced& item, const Traced& by, Loss loss) {
    if constexpr (Policy::kKeeps)
      return {Value(), policy_.meet(Meeting::removed, {ListAction::single, loss}, item, by)};
    return {};
  }

  /// A list into which the keys of a mapping went: what stands below them is lost.
  Traced without_members(const Traced& list, const Traced& mapping) {
    if constexpr (Policy::kKeeps) {
      // Strategies may make anything of the two.
      if (!list.value.is_sequence() || mapping.value.size() == 0) return list;
      const Open told = open(list, 0);
      for (std::size_t i = 0; i < mapping.value.size(); ++i) {
        stop_.tick();
        const Entry& entry = mapping.value.entries()[i];
        const Traced what = gone({taken(mapping.value, entry.value), policy_.child(mapping, i)}, {}, Loss::removed);
        policy_.add_gone(*told.node,
                         {.key = entry.key, .index = 0, .is_tail = false, .what = what, .earlier = nullptr});
      }
      return told.now;
    }
    return list;
  }

  /// A list that has met an empty one: nothing of that is there.
  Traced met_empty(ListAction action, const Traced& list, const Traced& empty) {
    if constexpr (Policy::kKeeps) return {list.value, policy_.meet_empty(action, list, empty, owner_)};
    return list;
  }

  /// Both sides, until `settle`.
  Traced waiting(Strategy::Table Strategy::*table, const Traced& old, const Traced& incoming, std::size_t depth) {
    if (!incoming.value) return kept(old, incoming);
    if (!old.value) return took(old, incoming);
    assert(strategy_.at(strategy_.*table, Shape::scalar, shape_of(incoming.value)) == Action::wait &&
           "what waits goes on waiting");
    const Value made = arena_.object(std::make_shared<Pending>(old, incoming, table, depth));
    return computed(made.with_origin(incoming.value.origin()), Meeting::derived, old, incoming);
  }

  Traced computed(const Value& made, Meeting meeting, const Traced& old, const Traced& incoming) {
    if constexpr (Policy::kKeeps) return {made, policy_.meet(meeting, old, incoming)};
    return {made, {}};
  }

  void notice(Action action, const Value& old, const Value& incoming) {
    if (inputs_.notices != nullptr) inputs_.notices->push_back({.action = action, .old = old, .incoming = incoming});
  }

  /// For steps that cannot be interrupted.
  void charge(std::size_t work) {
    stop_.tick(static_cast<std::uint32_t>(std::min<std::size_t>(work, std::size_t{1} << 30U)));
  }

  void check_depth(const Value& old, const Value& incoming, std::size_t depth) const {
    if (depth >= inputs_.limits.depth) fail_depth(inputs_.limits, inputs_.recorder.sources(), old, incoming);
    check_stack(inputs_.limits);
  }

  // Containers that may be changed.

  /// The container with a copy of its own that may be changed.
  Open open(const Traced& container, std::size_t more) {
    Open result{.now = container};
    if (Growable::owner(container.value) != owner_) {
      charge(container.value.size() + more);
      result.now.value = Growable::copy(arena_, container.value, more);
      Growable::set_owner(result.now.value, owner_);
    }
    if constexpr (Policy::kKeeps) {
      result.node = policy_.own(container, owner_, more);
      result.now.slot = Policy::held(container.slot, result.node);
    }
    return result;
  }

  /// A new sequence in place of another one.
  Open begin_list(const Traced& before, std::size_t capacity) {
    Open list{.now = {Growable::sequence(arena_, capacity)
                          .with_origin(before.value.origin())
                          .with_secret(before.value.is_secret()),
                      {}}};
    Growable::set_owner(list.now.value, owner_);
    if constexpr (Policy::kKeeps) {
      list.node = policy_.succeed(before.slot, owner_, capacity);
      list.now.slot = Slot(list.node);
    }
    return list;
  }

  void add(Open& list, const Traced& item) {
    Growable::append(arena_, list.now.value, item.value);
    if constexpr (Policy::kKeeps) policy_.append(*list.node, item.slot);
  }

  /// Records an item that is knocked out of a list, or of what was to be in it.
  /// `by`: what knocks an item out. Absent: nothing does, and it is lost.
  void add_gone(Open& list, std::size_t index, const Traced& item, const Traced& by) {
    if constexpr (Policy::kKeeps) {
      const Traced what = gone(item, by, by.value ? Loss::knocked_out : Loss::removed);
      policy_.add_gone(*list.node, {.key = {}, .index = index, .is_tail = false, .what = what, .earlier = nullptr});
    }
  }

  /// A member of a container that moves to another one. Members of a secret container are secret.
  static Value taken(const Value& container, const Value& member) {
    return container.is_secret() ? member.with_secret() : member;
  }

  /// The items of a sequence that move to another one.
  std::span<const Value> taken_items(const Value& sequence) {
    if (!sequence.is_secret()) return sequence.items();
    SequenceBuilder marked(arena_, sequence.size());
    for (const Value& item : sequence.items()) {
      stop_.tick();
      marked.append(item.with_secret());
    }
    return marked.finish().items();
  }

  // Mappings (kernel_mappings.hpp).

  static constexpr std::size_t kFewMembers = 12;
  /// Two mappings, member by member: old members keep their places, new ones follow.
  Traced merge_members(const Traced& old, const Traced& incoming, std::size_t depth);
  Value joined_members(const Value& old, const Value& incoming);
  /// `kHasRules`: the strategy has key rules.
  template <bool kHasRules>
  Traced merge_many_members(const Traced& old, const Traced& incoming, std::size_t depth);
  /// A key that a rule applies to, as it is in the result.
  Value without_prefix(const Value& key, std::string_view prefix);
  Traced merge_few_members(const Traced& old, const Traced& incoming, std::size_t depth);
  static Slot slot_of(const detail::ContainerNode* node, const Traced& old);
  void remember(detail::ContainerNode& node, const Value& key, std::size_t position, const Traced& arriving,
                const Traced& made);
  static std::size_t drop_absent(UninitializedArray<Entry, kFewMembers>& made, std::size_t size,
                                 detail::ContainerNode* node);
  static std::size_t find_near(const Value& mapping, std::span<const Entry> entries, std::size_t guess,
                               const Value& key);
  void erase_entries(Open& target, const std::vector<std::size_t>& erased);

  // Lists (kernel_lists.hpp).

  /// How two lists are related. deep_merge merges new members with copies of themselves; only the outermost level is
  /// copied.
  enum class Sides : std::uint8_t {
    two,   ///< Two lists.
    copy,  ///< A list and a copy of it.
    same,  ///< The same list on both sides: items knocked out of one side are removed from the other too.
  };
  struct KnockoutPair {
    std::vector<Traced> source;  ///< Its items knock out others.
    std::vector<Traced> target;
  };
  Traced add_items(const Traced& old, const Traced& incoming, bool at_end);
  Traced add_nothing(ListAction action, const Traced& old, const Traced& incoming);
  /// Old items, then new ones, without duplicates, which histories record. `is_merge`: two lists meet.
  Traced unite(const Traced& old, const Traced& incoming, bool is_merge = true);
  Traced unite_few(const Traced& old, const Traced& incoming);
  /// `is_told`: histories record an item that is there already.
  void add_once(Open& list, Distinct& distinct, const Traced& item, bool is_told);
  /// Two lists, by index. `extend`: surplus new items are appended; if false, they are dropped.
  Traced merge_items(const Traced& old, const Traced& incoming, std::size_t depth, bool extend);
  void erase_items(Open& target);
  /// Two lists with the list options of the strategy. `meet_items` merges two mappings of lists that are merged by
  /// index.
  template <class MeetItems>
  Traced merge_lists(const Traced& old, const Traced& incoming, Sides sides, const MeetItems& meet_items);
  template <class MeetItems>
  void merge_by_index(Open& list, const KnockoutPair& pair, const MeetItems& meet_items);
  /// A list that replaces another value, without items that begin with the prefix.
  Traced take_list(const Traced& old, const Traced& incoming);
  /// A text that replaces another value. A text that begins with the prefix becomes empty.
  Traced take_text(const Traced& old, const Traced& incoming);
  std::vector<Traced> listed(const Traced& list);
  void knock_out(Open* list, KnockoutPair& pair, Sides sides);
  void knock_out_target(Open* list, KnockoutPair& pair);
  void note_losses(const Value& old, const KnockoutPair& pair);
  void sort(Open& list);

  // Values merged with themselves (kernel_self_merge.hpp).

  /// The effect of merging a value with itself.
  enum class Change : std::uint8_t {
    none,
    some,
    unknown,  ///< The action is not known here: the kernel runs on both sides.
  };
  /// A value merged with itself.
  Traced with_itself(const Traced& incoming, std::size_t depth);
  /// A mapping whose members, except the first, are merged with themselves.
  Traced rest_with_itself(const Traced& incoming, std::size_t depth);
  Change change(const Strategy::Table& table, const Value& value, std::size_t depth);
  Change members_change(const Value& value, std::size_t first, std::size_t depth);
  Change list_change(const Value& list, std::size_t depth);
  Traced changed(const Strategy::Table& table, const Traced& value, std::size_t depth, Sides sides);
  Traced with_changed_members(const Traced& value, std::size_t first, std::size_t depth);
  [[nodiscard]] Sides inner_sides() const { return strategy_.lists.independent_copies ? Sides::copy : Sides::same; }
  /// A kernel without recording, for values that all come from the source of their container.
  [[nodiscard]] Kernel<NoRecording> unrecorded() const {
    Kernel<NoRecording> inner(inputs_, {}, owner_, capacities_);
    inner.call_depth_ = call_depth_;
    return inner;
  }

  // Texts.

  Traced joined(const Traced& old, const Traced& incoming) {
    const std::size_t size =
        joined_size(strategy_, inputs_.limits, inputs_.recorder.sources(), old.value, incoming.value);
    const Value text = with_room(old.value, size);
    Growable::append_text(text, strategy_.separator);
    Growable::append_text(text, incoming.value.text());
    return computed(
        text.with_origin(incoming.value.origin()).with_secret(old.value.is_secret() || incoming.value.is_secret()),
        Meeting::merged, old, incoming);
  }

  /// A text that may grow to `size`. Reuses the text of an earlier join, so that joining n texts costs their total
  /// size.
  Value with_room(const Value& text, std::size_t size) {
    if (capacities_ == nullptr) return Growable::text_with_room(arena_, text.text(), size);
    const auto known = capacities_->find(text.text().data());
    if (known != capacities_->end()) {
      if (known->second >= size) return text;
    }
    const Value made = Growable::text_with_room(arena_, text.text(), size * 2);
    if (known == capacities_->end()) {
      capacities_->emplace(made.text().data(), size * 2);
    } else {  // The text has moved.
      auto moved = capacities_->extract(known);
      moved.key() = made.text().data();
      moved.mapped() = size * 2;
      capacities_->insert(std::move(moved));
    }
    return made;
  }

  // Functions given with the strategy.

  Traced called(std::size_t n, const Traced& old, const Traced& incoming, std::size_t depth) {
    assert(n < inputs_.calls.size() && "a strategy comes with its functions");
    if (call_depth_ >= kCallDepth) {
      throw Error("limit.depth", fmt::format("merge functions call each other deeper than {} levels", kCallDepth));
    }
    // The accumulator does not own what a function merges: the function may keep both sides and may continue after an
    // Error.
    const Recurse recurse = [this, depth](const Traced& left, const Traced& right) {
      const auto merged = [&](auto kernel) {
        kernel.call_depth_ = call_depth_ + 1;
        return kernel.template meet<&Strategy::root>(left, right, depth + 1);
      };
      const void* const owner = Growable::new_owner(arena_);
      if (left.slot == Slot() && right.slot == Slot()) return merged(Kernel<NoRecording>(inputs_, {}, owner, nullptr));
      return merged(Kernel(inputs_, policy_, owner, nullptr));
    };
    Traced made = told_by_function(n, old, incoming, recurse);
    if (!made.value) return by_function(made.value, Meeting::removed, old, incoming);
    const bool is_told = Policy::kKeeps && made.slot != Slot();
    if (is_same_node(made.value, old.value) && (!is_told || made.slot == old.slot))
      return by_function(old.value, Meeting::kept, old, incoming);
    if (is_same_node(made.value, incoming.value) && (!is_told || made.slot == incoming.slot)) {
      return by_function(incoming.value, Meeting::took, old, incoming);
    }
    if (!made.value.origin()) made.value = made.value.with_origin(incoming.value.origin());
    if (old.value.is_secret() || incoming.value.is_secret()) made.value = made.value.with_secret();
    // An empty container has no members that could tell where it comes from.
    if (!is_told || (made.value.is_container() && made.value.size() == 0)) {
      return by_function(made.value, Meeting::merged, old, incoming);
    }
    return by_function(made.value, Meeting::told, {Value(), by_function({}, Meeting::merged, old, incoming).slot},
                       made);
  }

  Traced by_function(const Value& made, Meeting meeting, const Traced& old, const Traced& incoming) {
    if constexpr (Policy::kKeeps) {
      if (meeting == Meeting::kept && !incoming.value) return old;
      if (meeting == Meeting::took && !old.value) return incoming;
      return {made, policy_.meet(meeting, {ListAction::by_function, detail::usual(meeting).loss}, old, incoming)};
    } else {
      return {made, {}};
    }
  }

  Traced told_by_function(std::size_t n, const Traced& old, const Traced& incoming, const Recurse& recurse) {
    if constexpr (Policy::kKeeps) {
      return inputs_.calls[n](Builder(arena_, inputs_.recorder), old, incoming, recurse);
    } else {  // The recorder of the merge may keep a history even though this part of it has none.
      NullRecorder nothing(inputs_.recorder.sources());
      return inputs_.calls[n](Builder(arena_, nothing), old, incoming, recurse);
    }
  }

  static constexpr std::size_t kCallDepth = 100;

  const MergeInputs& inputs_;
  Arena& arena_;
  const Strategy& strategy_;
  [[no_unique_address]] Policy policy_;
  const void* owner_;
  TextCapacities* capacities_;
  Knockout knockout_;
  StopCheck& stop_;
  std::size_t call_depth_ = 0;
};

}  // namespace strata::merge

#include "kernel_lists.hpp"
#include "kernel_mappings.hpp"
#include "kernel_self_merge.hpp"
