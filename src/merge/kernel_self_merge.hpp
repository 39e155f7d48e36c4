// SPDX-License-Identifier: Apache-2.0
// The kernel's self-merge of values: deep_merge's treatment of new members. It usually changes nothing, which is
// checked first, without allocating. Included by kernel.hpp.
#pragma once

#include "kernel.hpp"
#include "strata/builder.hpp"

namespace strata::merge {

template <class Policy>
Traced Kernel<Policy>::with_itself(const Traced& incoming, std::size_t depth) {
  switch (change(strategy_.root, incoming.value, depth)) {
    case Change::none:
      return incoming;
    case Change::some:
      return changed(strategy_.root, incoming, depth, Sides::copy);
    case Change::unknown:
      break;
  }
  // The whole result comes from the source of the value.
  const Value made =
      unrecorded().template meet<&Strategy::root>({incoming.value, {}}, {incoming.value, {}}, depth).value;
  if (identical(made, incoming.value)) return incoming;
  return {made, policy_.supplier(incoming.slot)};
}

template <class Policy>
Traced Kernel<Policy>::rest_with_itself(const Traced& incoming, std::size_t depth) {
  if (incoming.value.size() < 2) return incoming;
  switch (members_change(incoming.value, 1, depth)) {
    case Change::none:
      return incoming;
    case Change::some:
      return with_changed_members(incoming, 1, depth);
    case Change::unknown:
      break;
  }
  Kernel<NoRecording> inner = unrecorded();
  MappingBuilder made(arena_, Arena::equality(incoming.value), incoming.value.size());
  for (std::size_t i = 0; i < incoming.value.size(); ++i) {
    stop_.tick();
    const Entry& entry = incoming.value.entries()[i];
    const Value member =
        i == 0 ? entry.value
               : inner.template meet<&Strategy::member>({entry.value, {}}, {entry.value, {}}, depth + 1).value;
    if (member) made.insert(entry.key, member);
  }
  return {made.finish().with_origin(incoming.value.origin()).with_secret(incoming.value.is_secret()),
          policy_.supplier(incoming.slot)};
}

// Recursion: bounded by Limits::depth.
template <class Policy>
typename Kernel<Policy>::Change Kernel<Policy>::change(const Strategy::Table& table, const Value& value,
                                                       std::size_t depth) {
  switch (strategy_.at(table, value, value)) {
    case Action::keep_old:
    case Action::keep_old_noted:
    case Action::take_new:
      return Change::none;
    case Action::take_text:
      return !knockout_.is_empty() && knockout_.target(value) ? Change::some : Change::none;
    case Action::self_merge:
      check_depth(value, value, depth);
      return change(strategy_.root, value, depth + 1);
    case Action::recurse:
      check_depth(value, value, depth);
      return members_change(value, 0, depth);
    case Action::union_:
      return has_duplicates(value.items(), stop_) ? Change::some : Change::none;
    case Action::merge_lists:
      check_depth(value, value, depth);
      return list_change(value, depth);
    default:
      return Change::unknown;
  }
}

/// The effect of merging the members from `first` on with themselves.
// Recursion: bounded by Limits::depth.
template <class Policy>
typename Kernel<Policy>::Change Kernel<Policy>::members_change(const Value& value, std::size_t first,
                                                               std::size_t depth) {
  if (!strategy_.keys.empty()) return Change::unknown;
  auto result = Change::none;
  for (const Entry& entry : value.entries().subspan(first)) {
    stop_.tick();
    result = std::max(result, change(strategy_.member, entry.value, depth + 1));
    if (result == Change::unknown) break;
  }
  return result;
}

// Recursion: bounded by Limits::depth.
template <class Policy>
typename Kernel<Policy>::Change Kernel<Policy>::list_change(const Value& list, std::size_t depth) {
  const ListOptions& options = strategy_.lists;
  const auto items = list.items();
  auto result = Change::none;
  if (options.by_index && std::ranges::all_of(items, &Value::is_mapping)) {
    for (const Value& item : items) {
      stop_.tick();
      result = std::max(result, change(strategy_.item, item, depth + 1));
    }
    if (result == Change::unknown) return result;
  } else if (has_duplicates(items, stop_)) {
    result = Change::some;
  }
  const auto strikes = [this](const Value& item) {
    stop_.tick();
    return knockout_.is_bare(item) || knockout_.target(item);
  };
  if (!knockout_.is_empty() && std::ranges::any_of(items, strikes)) result = Change::some;
  if (options.sort) {
    for (std::size_t i = 1; i < items.size(); ++i) {
      stop_.tick();
      if (const auto order = compare(items[i - 1], items[i]); !(order <= 0)) return Change::some;
    }
  }
  return result;
}

/// The value after merging it with itself.
// Recursion: bounded by Limits::depth.
template <class Policy>
Traced Kernel<Policy>::changed(const Strategy::Table& table, const Traced& value, std::size_t depth, Sides sides) {
  switch (strategy_.at(table, value.value, value.value)) {
    case Action::take_text:
      return take_text({}, value);
    case Action::self_merge:
      return changed(strategy_.root, value, depth + 1, sides);
    case Action::recurse:
      return with_changed_members(value, 0, depth);
    case Action::union_:
      return unite(value, {arena_.sequence(), {}}, false);
    case Action::merge_lists:
      return merge_lists(value, value, sides, [&](const Traced& item, const Traced&) {
        return changed(strategy_.item, item, depth + 1, inner_sides());
      });
    default:
      return value;
  }
}

// Recursion: bounded by Limits::depth.
template <class Policy>
Traced Kernel<Policy>::with_changed_members(const Traced& value, std::size_t first, std::size_t depth) {
  Open target{.now = value};
  bool is_open = false;
  for (std::size_t i = first; i < value.value.size(); ++i) {
    stop_.tick();
    const Traced member{value.value.entries()[i].value, policy_.child(value, i)};
    const Traced made = changed(strategy_.member, member, depth + 1, inner_sides());
    if (is_same_node(made.value, member.value)) continue;
    if (!is_open) target = open(value, 0);
    is_open = true;
    Growable::replace_entry(target.now.value, i, made.value);
    if constexpr (Policy::kKeeps) target.node->children[i] = made.slot;
  }
  return target.now;
}

}  // namespace strata::merge
