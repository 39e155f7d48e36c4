// SPDX-License-Identifier: Apache-2.0
// The kernel's merge of two mappings, member by member. Included by kernel.hpp.
#pragma once

#include <memory>

#include "kernel.hpp"
#include "value/same_text.hpp"

namespace strata::merge {

// Recursion: bounded by Limits::depth.
template <class Policy>
Traced Kernel<Policy>::merge_members(const Traced& old, const Traced& incoming, std::size_t depth) {
  if (incoming.value.size() == 0 && old.value.size() == 0) return kept(old, incoming);
  if (incoming.value.size() == 0) return old;
  if (!strategy_.keys.empty()) return merge_many_members<true>(old, incoming, depth);
  if constexpr (!Policy::kKeeps) {
    if (const Value joined = joined_members(old.value, incoming.value)) return {joined, old.slot};
  }
  if (old.value.size() + incoming.value.size() <= kFewMembers && old.value.is_mapping() &&
      Growable::owner(old.value) != owner_ && Arena::equality(old.value) == Arena::equality(incoming.value))
    return merge_few_members(old, incoming, depth);
  return merge_many_members<false>(old, incoming, depth);
}

/// The members of a small mapping and of a large one, at once: the first layers of a fold. Absent if one of them meets
/// another, or is not just taken.
template <class Policy>
Value Kernel<Policy>::joined_members(const Value& old, const Value& incoming) {
  const auto olds = old.entries();
  const auto news = incoming.entries();
  if (news.size() < kFewMembers || olds.size() > news.size() / 4 || inputs_.notices != nullptr || incoming.is_secret())
    return {};
  if (!old.is_mapping() || Arena::equality(old) != Arena::equality(incoming)) return {};
  const auto& taken = strategy_.member[static_cast<std::size_t>(Shape::absent)];
  if (!std::ranges::all_of(taken, [](Action action) { return action == Action::take_new; })) return {};
  if (std::ranges::any_of(olds, [&incoming](const Entry& entry) { return incoming.find(entry.key) != nullptr; }))
    return {};
  charge(news.size());
  std::vector<Entry> all(olds.begin(), olds.end());
  all.insert(all.end(), news.begin(), news.end());
  const Value made = arena_.mapping(all, Arena::equality(old));
  Growable::set_owner(made, owner_);
  return made.with_origin(old.origin()).with_secret(old.is_secret());
}

// Recursion: bounded by Limits::depth.
template <class Policy>
template <bool kHasRules>
Traced Kernel<Policy>::merge_many_members(const Traced& old, const Traced& incoming, std::size_t depth) {
  Open target{.now = old};
  [[maybe_unused]] bool is_open = false;
  const auto entries = incoming.value.entries();
  // Every member that meets another one has a new history.
  if constexpr (Policy::kKeeps) {
    target = open(old, entries.size());
    policy_.merge_mapping(*target.node, incoming);
  }
  std::vector<std::size_t> erased;
  std::size_t next = 0;  // After the last one found: layers often have the same keys in the same order.
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    stop_.tick([&] { return entry.key.origin(); });
    if (inputs_.notices != nullptr && knockout_.is_prefix_of(entry.key)) notice(Action::recurse, {}, entry.key);
    const Traced arriving{taken(incoming.value, entry.value), policy_.child(incoming, i)};
    [[maybe_unused]] const KeyRule* rule = nullptr;
    [[maybe_unused]] Value bare;
    if constexpr (kHasRules) {
      rule = strategy_.rule_for(entry.key);
      bare = rule == nullptr ? entry.key : without_prefix(entry.key, rule->prefix);
    }
    const Value& key = kHasRules ? bare : entry.key;
    const std::size_t position = find_near(target.now.value, target.now.value.entries(), next, key);
    const bool is_new = position == Arena::npos;
    Traced present;
    if (!is_new) {
      present = {target.now.value.entries()[position].value, policy_.child(target.now, position)};
      next = position + 1;
    }
    [[maybe_unused]] bool returns = false;
    if constexpr (kHasRules) {
      // One mapping may name a member twice: with a prefix and without it.
      if (const auto gone = std::ranges::find(erased, position); gone != erased.end()) {
        erased.erase(gone);
        present = {};
        returns = true;
      }
    }
    const Traced made = kHasRules && rule != nullptr
                            ? act<&Strategy::member>(rule->action, present, arriving, depth + 1)
                            : meet<&Strategy::member>(present, arriving, depth + 1);
    if constexpr (Policy::kKeeps) remember(*target.node, key, position, arriving, made);
    if (returns && !made.value) erased.push_back(position);
    if (is_new || returns ? !made.value : is_same_node(made.value, present.value)) continue;
    if constexpr (!Policy::kKeeps) {
      if (!is_open) target = open(old, entries.size());
      is_open = true;
    }
    if (is_new) {
      Growable::insert(arena_, target.now.value, key, made.value);
    } else if (made.value) {
      Growable::replace_entry(target.now.value, position, made.value);
    } else {
      erased.push_back(position);
    }
  }
  if (!erased.empty()) erase_entries(target, erased);
  return target.now;
}

template <class Policy>
Value Kernel<Policy>::without_prefix(const Value& key, std::string_view prefix) {
  return arena_.key(key.text().substr(prefix.size())).with_origin(key.origin()).with_secret(key.is_secret());
}

/// Merges two small mappings that are copied in any case: the result is computed before anything is allocated. It uses
/// no spare memory, and each key is looked up once.
// Recursion: bounded by Limits::depth.
template <class Policy>
Traced Kernel<Policy>::merge_few_members(const Traced& old, const Traced& incoming, std::size_t depth) {
  UninitializedArray<Entry, kFewMembers> made;
  stop_.tick(kFewMembers);
  const auto olds = old.value.entries();
  const auto news = incoming.value.entries();
  std::size_t size = 0;
  for (const Entry& old_entry : olds) made.put(size++, old_entry);
  bool is_changed = false;
  bool any_removed = false;
  [[maybe_unused]] detail::ContainerNode* node = nullptr;
  if constexpr (Policy::kKeeps) {
    node = policy_.own(old, owner_, news.size());
    policy_.merge_mapping(*node, incoming);
  }
  for (std::size_t i = 0; i < news.size(); ++i) {
    const Entry& entry = news[i];
    if (inputs_.notices != nullptr && knockout_.is_prefix_of(entry.key)) notice(Action::recurse, {}, entry.key);
    const std::size_t position = find_near(old.value, olds, i, entry.key);
    const bool is_new = position == Arena::npos;
    Traced present;
    if (!is_new) {
      present.value = olds[position].value;
      if constexpr (Policy::kKeeps) present.slot = node->children[position];
    }
    const Traced arriving{taken(incoming.value, entry.value), policy_.child(incoming, i)};
    const Traced met = meet<&Strategy::member>(present, arriving, depth + 1);
    if constexpr (Policy::kKeeps) remember(*node, entry.key, position, arriving, met);
    if (is_new ? !met.value : is_same_node(met.value, present.value)) continue;
    is_changed = true;
    any_removed = any_removed || !met.value;
    if (is_new) {
      made.put(size++, {entry.key, met.value});
    } else {
      made[position].value = met.value;
    }
  }
  if (!is_changed) {
    // Nobody owns a history whose value is shared.
    if constexpr (Policy::kKeeps) node->owner = nullptr;
    return {old.value, slot_of(node, old)};
  }
  if (any_removed) size = drop_absent(made, size, node);
  const Value result = arena_.mapping(made.first(size), Arena::equality(old.value));
  Growable::set_owner(result, owner_);
  return {result.with_origin(old.value.origin()).with_secret(old.value.is_secret()), slot_of(node, old)};
}

template <class Policy>
Slot Kernel<Policy>::slot_of([[maybe_unused]] const detail::ContainerNode* node, const Traced& old) {
  if constexpr (Policy::kKeeps) return Slot(node);
  return old.slot;
}

/// Stores the result for a member: its slot, or that it is removed. `position` is its index; npos for a new one.
template <class Policy>
void Kernel<Policy>::remember(detail::ContainerNode& node, const Value& key, std::size_t position,
                              const Traced& arriving, const Traced& made) {
  if (position != Arena::npos) {
    node.children[position] = made.slot;
    if (!made.value)
      policy_.add_gone(node, {.key = key, .index = 0, .is_tail = false, .what = made, .earlier = nullptr});
    return;
  }
  const detail::Gone* gone = policy_.find_gone(node, key);
  if (made.value) {
    policy_.append(node, gone == nullptr ? made.slot : policy_.meet(Meeting::took, gone->what, made));
    return;
  }
  // A new member that is not taken is removed at once.
  const Traced what{Value(), policy_.meet(Meeting::removed, gone == nullptr ? Traced{} : gone->what, arriving)};
  policy_.add_gone(node, {.key = key, .index = 0, .is_tail = false, .what = what, .earlier = nullptr});
}

/// Closes the gaps of removed members. Returns the number of remaining ones.
template <class Policy>
std::size_t Kernel<Policy>::drop_absent(UninitializedArray<Entry, kFewMembers>& made, std::size_t size,
                                        [[maybe_unused]] detail::ContainerNode* node) {
  std::size_t staying = 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (!made[i].value) continue;
    made[staying] = made[i];
    if constexpr (Policy::kKeeps) node->children[staying] = node->children[i];
    ++staying;
  }
  if constexpr (Policy::kKeeps) {
    node->back += static_cast<std::uint32_t>(size - staying);
    node->size = static_cast<std::uint32_t>(staying);
  }
  return staying;
}

/// Index of a key, which is probably `guess`: layers often have the same keys in the same order.
template <class Policy>
std::size_t Kernel<Policy>::find_near(const Value& mapping, std::span<const Entry> entries, std::size_t guess,
                                      const Value& key) {
  if (guess < entries.size() && key.is_text() && entries[guess].key.is_text() &&
      strata::detail::same_text(entries[guess].key.text(), key.text()))
    return guess;
  return Arena::index_of(mapping, key);
}

/// Removes entries in one pass over the mapping.
template <class Policy>
void Kernel<Policy>::erase_entries(Open& target, const std::vector<std::size_t>& erased) {
  const auto keep =
      std::make_unique<bool[]>(target.now.value.size());  // NOLINT(modernize-avoid-c-arrays): vector<bool> has no span
  std::fill_n(keep.get(), target.now.value.size(), true);
  for (const std::size_t position : erased) keep[position] = false;
  if constexpr (Policy::kKeeps) {
    assert(target.node != nullptr && "a container that is open has its history");
    Policy::keep(*target.node, {keep.get(), target.now.value.size()});
  }
  Growable::keep_entries(arena_, target.now.value, {keep.get(), target.now.value.size()});
}

}  // namespace strata::merge
