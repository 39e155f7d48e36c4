// Merging a value with itself: what deep_merge does to members that are new.
#pragma once

#include "lists.hpp"
#include "probe.hpp"

namespace strata::merge {

/// deep_merge merges a new member with a shallow copy of itself. Mostly that changes nothing, which is found out first, without making anything.
template <class Policy>
class Itself : public Lists<Policy> {
 protected:
  using Base = Lists<Policy>;
  using Base::arena_, Base::limits_, Base::policy_, Base::strategy_, Base::knockout_;
  using Base::Base;
  using typename Base::Open;

  /// What merging a value with itself does to it.
  enum class Change : std::uint8_t {
    none,
    some,
    unknown,  ///< An action that is not known here: the kernel runs on both sides.
  };

  // Recursion: bounded by Limits::depth.
  Change change(const Strategy::Table& table, const Value& value, std::size_t depth) const {
    switch (strategy_.at(table, value, value)) {
      case Action::keep_old:
      case Action::take_new:
        return Change::none;
      case Action::take_text:
        return !knockout_.is_empty() && knockout_.target(value) ? Change::some : Change::none;
      case Action::self_merge:
        check_depth(limits_, depth);
        return change(strategy_.root, value, depth + 1);
      case Action::recurse:
        check_depth(limits_, depth);
        return members_change(value, 0, depth);
      case Action::union_:
        return has_duplicates(value.items()) ? Change::some : Change::none;
      case Action::merge_lists:
        check_depth(limits_, depth);
        return list_change(value, depth);
      default:
        return Change::unknown;
    }
  }

  /// What merging the members from `first` on with themselves does.
  // Recursion: bounded by Limits::depth.
  Change members_change(const Value& value, std::size_t first, std::size_t depth) const {
    auto result = Change::none;
    for (const Entry& entry : value.entries().subspan(first)) {
      result = std::max(result, change(strategy_.member, entry.value, depth + 1));
      if (result == Change::unknown) break;
    }
    return result;
  }

  /// The value after it was merged with itself.
  // Recursion: bounded by Limits::depth.
  Traced reworked(const Strategy::Table& table, const Traced& value, std::size_t depth, Sides sides) {
    switch (strategy_.at(table, value.value, value.value)) {
      case Action::take_text:
        return this->take_text({}, value);
      case Action::self_merge:
        return reworked(strategy_.root, value, depth + 1, sides);
      case Action::recurse:
        return reworked_members(value, 0, depth);
      case Action::union_:
        return this->unite(value, {arena_.sequence(), {}}, false);
      case Action::merge_lists:
        return this->merge_lists(value, value, sides,
                                 [&](const Traced& item, const Traced&) { return reworked(strategy_.item, item, depth + 1, inner_sides()); });
      default:
        return value;
    }
  }

  // Recursion: bounded by Limits::depth.
  Traced reworked_members(const Traced& value, std::size_t first, std::size_t depth) {
    Open target{.now = value};
    bool is_open = false;
    for (std::size_t i = first; i < value.value.size(); ++i) {
      const Traced member{value.value.entries()[i].value, policy_.child(value, i)};
      const Traced made = reworked(strategy_.member, member, depth + 1, inner_sides());
      if (this->same_node(made.value, member.value)) continue;
      if (!is_open) target = this->open(value, 0);
      is_open = true;
      arena_.replace_entry(target.now.value, i, made.value);
      if constexpr (Policy::kKeeps) target.node->children[i] = made.slot;
    }
    return target.now;
  }

 private:
  [[nodiscard]] Sides inner_sides() const { return strategy_.lists.independent_copies ? Sides::copy : Sides::same; }

  // Recursion: bounded by Limits::depth.
  Change list_change(const Value& list, std::size_t depth) const {
    const ListOptions& options = strategy_.lists;
    const auto items = list.items();
    auto result = Change::none;
    if (options.by_index && std::ranges::all_of(items, &Value::is_mapping)) {
      for (const Value& item : items) result = std::max(result, change(strategy_.item, item, depth + 1));
      if (result == Change::unknown) return result;
    } else if (has_duplicates(items)) {
      result = Change::some;
    }
    const auto strikes = [this](const Value& item) { return knockout_.is_bare(item) || knockout_.target(item); };
    if (!knockout_.is_empty() && std::ranges::any_of(items, strikes)) result = Change::some;
    if (options.sort) {
      for (std::size_t i = 1; i < items.size(); ++i) {
        if (const auto order = compare(items[i - 1], items[i]); !(order <= 0)) return Change::some;
      }
    }
    return result;
  }
};

}  // namespace strata::merge
