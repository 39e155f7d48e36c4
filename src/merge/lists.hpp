// The actions that make lists: union, and deep_merge's lists with knockout prefix, merging by index and sorting. docs/merge.md, "Knocking out".
#pragma once

#include <algorithm>
#include <string>
#include <unordered_map>

#include "distinct.hpp"
#include "order.hpp"
#include "scratch.hpp"
#include "shared_list.hpp"
#include "workbench.hpp"

namespace strata::merge {

/// How the lists that meet are related: deep_merge merges new members with copies of themselves that are copies on the outermost level only.
enum class Sides : std::uint8_t {
  two,   ///< Two lists.
  copy,  ///< A list and a copy of it.
  same,  ///< One list on both sides: what is struck out of one is gone from the other.
};

template <class Policy>
class Lists : public Workbench<Policy> {
 protected:
  using Base = Workbench<Policy>;
  using Base::arena_, Base::policy_, Base::strategy_, Base::knockout_, Base::notices_;
  using Base::Base;
  using Base::begin_list, Base::add, Base::add_gone, Base::taken, Base::taken_items, Base::took;
  using typename Base::Meeting;
  using typename Base::Open;

  /// Old items, then new ones, the first of equal items only. `is_told`: histories know of the others.
  Traced unite(const Traced& old, const Traced& incoming, bool is_told = true) {
    const std::size_t size = old.value.size() + incoming.value.size();
    if constexpr (!Policy::kKeeps) {
      if (size <= FewDistinct::kFew) return unite_few(old, incoming);
    }
    Open list = begin_list(old, size);
    Distinct distinct(size);
    for (const Traced* side : {&old, &incoming}) {
      const auto values = taken_items(side->value);
      for (std::size_t i = 0; i < values.size(); ++i) add_once(list, distinct, {values[i], policy_.child(*side, i)}, is_told);
    }
    return list.now;
  }

  /// Two lists under the list options of the strategy. `meet_items` merges two mappings of lists that are merged by index.
  template <class MeetItems>
  Traced merge_lists(const Traced& old, const Traced& incoming, Sides sides, const MeetItems& meet_items) {
    const ListOptions& options = strategy_.lists;
    if (options == ListOptions{}) return unite(old, sides == Sides::two ? incoming : Traced{arena_.sequence(), {}}, sides == Sides::two);
    Pair pair{.source = listed(incoming), .target = listed(old)};
    Open list = begin_list(old, pair.source.size() + pair.target.size());
    if (!knockout_.is_empty()) {
      if (sides == Sides::same && notices_ != nullptr) note_losses(old.value, pair);
      knock_out(&list, pair, sides);
    }
    if (options.by_index && are_mappings(pair.source) && are_mappings(pair.target)) {
      merge_by_index(list, pair, meet_items);
    } else {
      Distinct distinct(pair.source.size() + pair.target.size());
      for (const Traced& item : pair.target) add_once(list, distinct, item, sides == Sides::two);
      for (const Traced& item : pair.source) add_once(list, distinct, item, sides == Sides::two);
    }
    if (options.sort) sort(list);
    return list.now;
  }

  /// A list that replaces something else, without what begins with the prefix.
  Traced take_list(const Traced& old, const Traced& incoming) {
    const auto stays = [this](const Value& item) { return !knockout_.is_bare(item) && !knockout_.matches(item); };
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

  /// A text that replaces something else; one that begins with the prefix leaves an empty text.
  Traced take_text(const Traced& old, const Traced& incoming) {
    if (knockout_.is_empty() || !knockout_.target(incoming.value)) return took(old, incoming);
    const Value empty = arena_.text("").with_origin(incoming.value.origin()).with_secret(incoming.value.is_secret());
    if constexpr (Policy::kKeeps) return {empty, policy_.meet(Meeting::removed, old, incoming)};
    return {empty, {}};
  }

  [[nodiscard]] static bool are_mappings(const std::vector<Traced>& items) {
    return std::ranges::all_of(items, [](const Traced& item) { return item.value.is_mapping(); });
  }

 private:
  struct Pair {
    std::vector<Traced> source;  ///< Strikes out.
    std::vector<Traced> target;
  };

  std::vector<Traced> listed(const Traced& list) {
    std::vector<Traced> out;
    out.reserve(list.value.size());
    for (std::size_t i = 0; i < list.value.size(); ++i) out.push_back({taken(list.value, list.value.items()[i]), policy_.child(list, i)});
    return out;
  }

  /// Finds out first what stays, so that the list is as large as it must be.
  Traced unite_few(const Traced& old, const Traced& incoming) {
    FewDistinct few;
    Scratch<Value, FewDistinct::kFew> staying;
    for (const Traced* side : {&old, &incoming}) {
      for (const Value& item : side->value.items()) {
        const std::size_t size = few.size();
        if (few.add(item)) staying.put(size, taken(side->value, item));
      }
    }
    const Open list = begin_list(old, few.size());
    arena_.append(list.now.value, staying.first(few.size()));
    return list.now;
  }

  void add_once(Open& list, Distinct& distinct, const Traced& item, bool is_told) {
    const std::size_t position = distinct.find(list.now.value.items(), item.value);
    if (position == Arena::npos) {
      distinct.add(item.value);
      add(list, item);
    } else if constexpr (Policy::kKeeps) {
      if (!is_told) return;
      Slot& slot = list.node->children[position];
      slot = policy_.meet(Meeting::kept, {list.now.value.items()[position], slot}, item);
    }
  }

  template <class MeetItems>
  void merge_by_index(Open& list, const Pair& pair, const MeetItems& meet_items) {
    for (std::size_t i = 0; i < std::max(pair.source.size(), pair.target.size()); ++i) {
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

  /// Strikes out. `list`: who remembers what is gone; null for nobody.
  void knock_out(Open* list, Pair& pair, Sides sides) {
    const auto bare = std::ranges::find_if(pair.source, [this](const Traced& item) { return knockout_.is_bare(item.value); });
    if (bare != pair.source.end()) {
      const Traced by = *bare;
      if (list != nullptr) {
        for (std::size_t i = 0; i < pair.target.size(); ++i) add_gone(*list, i, pair.target[i], by);
      }
      pair.target.clear();
      if (sides == Sides::same) pair.source.clear();
      std::erase_if(pair.source, [this](const Traced& item) { return knockout_.is_bare(item.value); });
    }
    if (sides == Sides::same) {
      const bool any = std::ranges::any_of(pair.source, [this](const Traced& item) { return knockout_.matches(item.value); });
      if (any) {
        pair.source = knocked_out_of_itself(pair.source, knockout_, [&](std::size_t read, const Traced& item, const Traced& by) {
          if (list != nullptr) add_gone(*list, read, item, by);
        });
      }
      pair.target = pair.source;
    } else {
      knock_out_target(list, pair);
    }
  }

  void knock_out_target(Open* list, Pair& pair) {
    std::unordered_map<std::string, std::size_t> doomed;  // To the item that strikes out.
    std::vector<bool> strikes(pair.source.size());
    std::vector<bool> struck_any(pair.source.size());
    for (std::size_t i = 0; i < pair.source.size(); ++i) {
      auto target = knockout_.target(pair.source[i].value);
      if (!target) continue;
      strikes[i] = true;
      doomed.emplace(std::move(*target), i);
      doomed.emplace(pair.source[i].value.text(), i);
    }
    if (doomed.empty()) return;
    std::vector<Traced> left;
    for (std::size_t i = 0; i < pair.target.size(); ++i) {
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

  /// Tells the caller if a list loses items that a copy of its own would have kept.
  void note_losses(const Value& old, const Pair& pair) {
    Pair apart = pair;
    Pair together = pair;
    knock_out(nullptr, apart, Sides::copy);
    knock_out(nullptr, together, Sides::same);
    Distinct left(std::max(together.target.size(), Distinct::kSome + 1));  // By hash: the items are not at hand.
    for (const Traced& item : together.target) left.add(item.value);
    const auto is_lost = [&left](const Traced& item) { return left.find({}, item.value) == Arena::npos; };
    if (!std::ranges::any_of(apart.target, is_lost) && !std::ranges::any_of(apart.source, is_lost)) return;
    const Value rest = arena_.sequence(together.target.size());
    for (const Traced& item : together.target) arena_.append(rest, item.value);
    this->notice(Action::self_merge, old, rest);
  }

  void sort(Open& list) {
    std::vector<Traced> items;
    for (std::size_t i = 0; i < list.now.value.size(); ++i) items.push_back({list.now.value.items()[i], policy_.child(list.now, i)});
    std::ranges::stable_sort(items, [this](const Traced& left, const Traced& right) {
      const std::partial_ordering order = compare(left.value, right.value);
      if (order == std::partial_ordering::unordered) throw Unsortable(left.value, right.value, this->sources_);
      return order < 0;
    });
    for (std::size_t i = 0; i < items.size(); ++i) {
      arena_.replace(list.now.value, i, items[i].value);
      if constexpr (Policy::kKeeps) list.node->children[i] = items[i].slot;
    }
  }
};

}  // namespace strata::merge
