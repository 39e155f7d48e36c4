// SPDX-License-Identifier: Apache-2.0
// The kernel's actions on lists: concatenation, by index, union, and deep_merge's lists with knockout prefix and
// sorting. Included by kernel.hpp. docs/internals/merge.md, "Knocking out".
#pragma once

#include <string>

#include "kernel.hpp"
#include "knockout_in_place.hpp"
#include "order.hpp"
#include "strata/builder.hpp"
#include "value/seeded_hash.hpp"

namespace strata::merge {

template <class Policy>
Traced Kernel<Policy>::add_items(const Traced& old, const Traced& incoming, bool at_end) {
  const ListAction action = at_end ? ListAction::joined : ListAction::prepended;
  if (incoming.value.size() == 0) return add_nothing(action, old, incoming);
  Open target = open(old, 0);
  charge(incoming.value.size());
  if (at_end) {
    Growable::append(arena_, target.now.value, taken_items(incoming.value));
  } else {
    Growable::prepend(arena_, target.now.value, taken_items(incoming.value));
  }
  if constexpr (Policy::kKeeps) {
    if (at_end) {
      policy_.append(*target.node, incoming);
    } else {
      policy_.prepend(*target.node, incoming);
    }
    policy_.merge_list(*target.node, action, incoming);
  }
  return target.now;
}

template <class Policy>
Traced Kernel<Policy>::add_nothing(ListAction action, const Traced& old, const Traced& incoming) {
  if (old.value.size() != 0) return met_empty(action, old, incoming);
  if constexpr (Policy::kKeeps) return {old.value, policy_.meet(Meeting::kept, {action, Loss::equal}, old, incoming)};
  return old;
}

template <class Policy>
Traced Kernel<Policy>::unite(const Traced& old, const Traced& incoming, bool is_merge) {
  const std::size_t size = old.value.size() + incoming.value.size();
  if constexpr (!Policy::kKeeps) {
    if (size <= FewDistinct::kFew) return unite_few(old, incoming);
  }
  Open list = begin_list(old, size);
  Distinct distinct(size);
  for (const Traced* side : {&old, &incoming}) {
    const auto values = taken_items(side->value);
    for (std::size_t i = 0; i < values.size(); ++i) {
      stop_.tick();
      add_once(list, distinct, {values[i], policy_.child(*side, i)}, true);
    }
  }
  if constexpr (Policy::kKeeps) {
    if (is_merge) policy_.merge_list(*list.node, ListAction::united, incoming);
  }
  return list.now;
}

/// Computes the remaining items first, so that the list gets the right size.
template <class Policy>
Traced Kernel<Policy>::unite_few(const Traced& old, const Traced& incoming) {
  FewDistinct few;
  UninitializedArray<Value, FewDistinct::kFew> staying;
  for (const Traced* side : {&old, &incoming}) {
    for (const Value& item : side->value.items()) {
      const std::size_t size = few.size();
      if (few.add(item)) staying.put(size, taken(side->value, item));
    }
  }
  const Open list = begin_list(old, few.size());
  Growable::append(arena_, list.now.value, staying.first(few.size()));
  return list.now;
}

template <class Policy>
void Kernel<Policy>::add_once(Open& list, Distinct& distinct, const Traced& item, bool is_told) {
  const std::size_t position = distinct.find(list.now.value.items(), item.value);
  if (position == Arena::npos) {
    distinct.add(item.value);
    add(list, item);
  } else if constexpr (Policy::kKeeps) {
    if (!is_told) return;
    Slot& slot = list.node->children[position];
    slot =
        policy_.meet(Meeting::kept, {ListAction::united, Loss::equal}, {list.now.value.items()[position], slot}, item);
  }
}

// Recursion: bounded by Limits::depth.
template <class Policy>
Traced Kernel<Policy>::merge_items(const Traced& old, const Traced& incoming, std::size_t depth, bool extend) {
  const std::size_t common = std::min(old.value.size(), incoming.value.size());
  if (incoming.value.size() == 0) return add_nothing(ListAction::by_index, old, incoming);
  Open target = open(old, 0);
  if constexpr (Policy::kKeeps) policy_.merge_list(*target.node, ListAction::by_index, incoming);
  bool any_removed = false;
  for (std::size_t i = 0; i < common; ++i) {
    stop_.tick();
    const Traced present{target.now.value.items()[i], policy_.child(target.now, i)};
    const Traced arriving{taken(incoming.value, incoming.value.items()[i]), policy_.child(incoming, i)};
    const Traced made = meet<&Strategy::item>(present, arriving, depth + 1);
    if (!made.value) {
      any_removed = true;
      if constexpr (Policy::kKeeps)
        policy_.add_gone(*target.node, {.key = {}, .index = i, .is_tail = false, .what = made, .earlier = nullptr});
    }
    Growable::replace(target.now.value, i, made.value);
    if constexpr (Policy::kKeeps) target.node->children[i] = made.slot;
  }
  if (any_removed) erase_items(target);
  if (incoming.value.size() == common) return target.now;
  if (!extend) notice(Action::by_index, old.value, incoming.value);
  if (extend) {
    for (std::size_t i = common; i < incoming.value.size(); ++i) {
      stop_.tick();
      Growable::append(arena_, target.now.value, taken(incoming.value, incoming.value.items()[i]));
      if constexpr (Policy::kKeeps) policy_.append(*target.node, policy_.child(incoming, i));
    }
  } else if constexpr (Policy::kKeeps) {
    policy_.add_gone(*target.node, {.key = {}, .index = common, .is_tail = true, .what = incoming, .earlier = nullptr});
  }
  return target.now;
}

/// Removes the absent items, in one pass.
template <class Policy>
void Kernel<Policy>::erase_items(Open& target) {
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
  Growable::set_owner(target.now.value, owner_);
}

template <class Policy>
template <class MeetItems>
Traced Kernel<Policy>::merge_lists(const Traced& old, const Traced& incoming, Sides sides,
                                   const MeetItems& meet_items) {
  const ListOptions& options = strategy_.lists;
  if (options == ListOptions{})
    return unite(old, sides == Sides::two ? incoming : Traced{arena_.sequence(), {}}, sides == Sides::two);
  KnockoutPair pair{.source = listed(incoming), .target = listed(old)};
  Open list = begin_list(old, pair.source.size() + pair.target.size());
  if (!knockout_.is_empty()) {
    if (sides == Sides::same && inputs_.notices != nullptr) note_losses(old.value, pair);
    knock_out(&list, pair, sides);
  }
  const auto are_mappings = [](const std::vector<Traced>& items) {
    return std::ranges::all_of(items, [](const Traced& item) { return item.value.is_mapping(); });
  };
  const bool by_index = options.by_index && are_mappings(pair.source) && are_mappings(pair.target);
  if (by_index) {
    merge_by_index(list, pair, meet_items);
  } else {
    Distinct distinct(pair.source.size() + pair.target.size());
    for (const auto* items : {&pair.target, &pair.source}) {
      const bool is_told = items == &pair.target || sides == Sides::two;  // A copy of an item is not lost.
      for (const Traced& item : *items) {
        stop_.tick();
        add_once(list, distinct, item, is_told);
      }
    }
  }
  if constexpr (Policy::kKeeps) {
    if (sides == Sides::two)
      policy_.merge_list(*list.node, by_index ? ListAction::by_index : ListAction::united, incoming);
  }
  if (options.sort) sort(list);
  return list.now;
}

template <class Policy>
template <class MeetItems>
void Kernel<Policy>::merge_by_index(Open& list, const KnockoutPair& pair, const MeetItems& meet_items) {
  for (std::size_t i = 0; i < std::max(pair.source.size(), pair.target.size()); ++i) {
    stop_.tick();
    if (i >= pair.source.size()) {
      add(list, pair.target[i]);
    } else if (i >= pair.target.size()) {
      add(list, pair.source[i]);
    } else if (const Traced made = meet_items(pair.target[i], pair.source[i]); made.value) {
      add(list, made);
    } else if constexpr (Policy::kKeeps) {
      policy_.add_gone(*list.node, {.key = {}, .index = i, .is_tail = false, .what = made, .earlier = nullptr});
    }
  }
}

template <class Policy>
Traced Kernel<Policy>::take_list(const Traced& old, const Traced& incoming) {
  const auto stays = [this](const Value& item) {
    stop_.tick();
    return !knockout_.is_bare(item) && !knockout_.matches(item);
  };
  if (knockout_.is_empty() || std::ranges::all_of(incoming.value.items(), stays)) return took(old, incoming);
  Open list = begin_list(incoming, incoming.value.size());
  for (std::size_t i = 0; i < incoming.value.size(); ++i) {
    const Traced item{incoming.value.items()[i], policy_.child(incoming, i)};
    if (stays(item.value)) {
      add(list, item);
    } else {
      add_gone(list, i, {}, item);
    }
  }
  return took(old, list.now);
}

template <class Policy>
Traced Kernel<Policy>::take_text(const Traced& old, const Traced& incoming) {
  if (knockout_.is_empty() || !knockout_.target(incoming.value)) return took(old, incoming);
  const Value empty = arena_.text("").with_origin(incoming.value.origin()).with_secret(incoming.value.is_secret());
  return {empty, knocked_out(old, incoming).slot};
}

template <class Policy>
std::vector<Traced> Kernel<Policy>::listed(const Traced& list) {
  std::vector<Traced> out;
  out.reserve(list.value.size());
  for (std::size_t i = 0; i < list.value.size(); ++i) {
    stop_.tick();
    out.push_back({taken(list.value, list.value.items()[i]), policy_.child(list, i)});
  }
  return out;
}

/// Knocks out items. `list`: records the removed ones; null: nobody does.
template <class Policy>
void Kernel<Policy>::knock_out(Open* list, KnockoutPair& pair, Sides sides) {
  const auto bare =
      std::ranges::find_if(pair.source, [this](const Traced& item) { return knockout_.is_bare(item.value); });
  if (bare != pair.source.end()) {
    const Traced by = *bare;
    if (list != nullptr) {
      const auto own = sides == Sides::same ? static_cast<std::size_t>(bare - pair.source.begin()) : Arena::npos;
      for (std::size_t i = 0; i < pair.target.size(); ++i) {
        if (i != own || pair.target.size() == 1) add_gone(*list, i, i == own ? Traced{} : pair.target[i], by);
      }
    }
    pair.target.clear();
    if (sides == Sides::same) pair.source.clear();
    std::erase_if(pair.source, [this](const Traced& item) { return knockout_.is_bare(item.value); });
  }
  if (sides == Sides::same) {
    const bool any = std::ranges::any_of(pair.source, [this](const Traced& item) {
      stop_.tick();
      return knockout_.matches(item.value);
    });
    if (any) {
      pair.source = knock_out_in_place(pair.source, knockout_, stop_,
                                       [&](std::size_t index, const Traced& item, const Traced& by) {
                                         if (list != nullptr) add_gone(*list, index, item, by);
                                       });
    }
    pair.target = pair.source;
  } else {
    knock_out_target(list, pair);
  }
}

template <class Policy>
void Kernel<Policy>::knock_out_target(Open* list, KnockoutPair& pair) {
  TextMap<std::size_t> doomed;  // To the item that strikes out.
  std::vector<bool> strikes(pair.source.size());
  std::vector<bool> struck_any(pair.source.size());
  for (std::size_t i = 0; i < pair.source.size(); ++i) {
    stop_.tick();
    auto target = knockout_.target(pair.source[i].value);
    if (!target) continue;
    strikes[i] = true;
    doomed.emplace(std::move(*target), i);
    doomed.emplace(pair.source[i].value.text(), i);
  }
  if (doomed.empty()) return;
  std::vector<Traced> left;
  for (std::size_t i = 0; i < pair.target.size(); ++i) {
    stop_.tick();
    const Traced& item = pair.target[i];
    const auto doom = item.value.is_text() ? doomed.find(std::string(item.value.text())) : doomed.end();
    if (doom == doomed.end()) {
      left.push_back(item);
      continue;
    }
    struck_any[doom->second] = true;
    if (list != nullptr) add_gone(*list, i, item, pair.source[doom->second]);
  }
  pair.target = std::move(left);
  left.clear();
  for (std::size_t i = 0; i < pair.source.size(); ++i) {
    if (!strikes[i]) {
      left.push_back(pair.source[i]);
    } else if (list != nullptr && !struck_any[i]) {
      add_gone(*list, i, {}, pair.source[i]);
    }
  }
  pair.source = std::move(left);
}

/// Reports if a list loses items that an independent copy would have kept.
template <class Policy>
void Kernel<Policy>::note_losses(const Value& old, const KnockoutPair& pair) {
  KnockoutPair apart = pair;
  KnockoutPair together = pair;
  knock_out(nullptr, apart, Sides::copy);
  knock_out(nullptr, together, Sides::same);
  Distinct left(std::max(together.target.size(), Distinct::kSome + 1));  // By hash: the items are not at hand.
  for (const Traced& item : together.target) {
    stop_.tick();
    left.add(item.value);
  }
  const auto is_lost = [this, &left](const Traced& item) {
    stop_.tick();
    return left.find({}, item.value) == Arena::npos;
  };
  if (!std::ranges::any_of(apart.target, is_lost) && !std::ranges::any_of(apart.source, is_lost)) return;
  SequenceBuilder rest(arena_, together.target.size());
  for (const Traced& item : together.target) rest.append(item.value);
  notice(Action::self_merge, old, rest.finish());
}

template <class Policy>
void Kernel<Policy>::sort(Open& list) {
  std::vector<Traced> items;
  for (std::size_t i = 0; i < list.now.value.size(); ++i)
    items.push_back({list.now.value.items()[i], policy_.child(list.now, i)});
  std::ranges::stable_sort(items, [this](const Traced& left, const Traced& right) {
    stop_.tick();
    const std::partial_ordering order = compare(left.value, right.value);
    if (order == std::partial_ordering::unordered)
      throw Unsortable(left.value, right.value, inputs_.recorder.sources());
    return order < 0;
  });
  for (std::size_t i = 0; i < items.size(); ++i) {
    Growable::replace(list.now.value, i, items[i].value);
    if constexpr (Policy::kKeeps) list.node->children[i] = items[i].slot;
  }
}

}  // namespace strata::merge
