// SPDX-License-Identifier: Apache-2.0
#include "strata/list_history.hpp"

#include <algorithm>
#include <optional>

#include "access.hpp"
#include "list_events.hpp"

namespace strata::merge {
namespace {

/// A place on the way to a list.
struct ListPlace {
  std::size_t list = Arena::npos;  ///< The number of the list there, in the order of the result.
  std::vector<std::pair<std::size_t, ListPlace>> members{};  ///< By their positions, those with a list in them.
};

/// The lists of a result, and which histories belong to each.
class Lists {
 public:
  Lists(const History& history, const Traced& result, const ListReading& reading)
      : history_(history),
        result_(result),
        reading_(reading),
        paths_(history.explain(result, {}, reading.stop)),
        stop_(reading.stop) {
    if (reading.revise) reading.revise(paths_);
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      if (paths_[i].value) leaves_.push_back(i);
    }
    if (result.value) walk(result.value, {}, root_);
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      if (std::ranges::all_of(paths_[i].contributions, counts)) continue;
      if (const std::size_t list = innermost(paths_[i].path); list != Arena::npos) lists_[list].losers.push_back(i);
    }
  }

  void tell(const std::function<void(const ListHistory&)>& visit) { tell(root_, result_.value, visit); }

 private:
  struct Item {
    Value leaf;  ///< The first one.
    Origin via;
    std::size_t path;  ///< The history of the leaf.
  };
  struct List {
    Value value;
    std::size_t end = 0;  ///< Lists from the next one up to this are in it.
    std::vector<Item> items{};
    std::vector<std::size_t> losers{};  ///< Histories that belong to no list in it.
  };

  /// Returns the first leaf.
  // Recursion: bounded by Limits::depth.
  Item walk(const Value& value, Origin via, ListPlace& place) {
    const bool is_list = value.is_sequence() && !value.is_secret();
    if (is_list) {
      place.list = lists_.size();
      lists_.push_back({.value = value});
    }
    std::optional<Item> first;
    std::size_t first_member = 0;
    if (value.is_leaf() || value.is_secret()) {
      first = Item{.leaf = value, .via = via, .path = leaves_[next_leaf_++]};
    } else {
      if (value.origin().through_alias()) via = value.origin();
      for (std::size_t i = 0; i < value.size(); ++i) {
        ListPlace inner;
        const Item item = walk(member_at(value, i), via, inner);
        if (is_list) lists_[place.list].items.push_back(item);
        if (!first || comes_first(value, i, first_member)) {
          first = item;
          first_member = i;
        }
        if (inner.list != Arena::npos || !inner.members.empty()) place.members.emplace_back(i, std::move(inner));
      }
    }
    if (is_list) lists_[place.list].end = lists_.size();
    return *first;
  }

  [[nodiscard]] bool comes_first(const Value& container, std::size_t member, std::size_t other) const {
    return reading_.sort_keys && !container.is_sequence() &&
           key_text(container.entries()[member].key) < key_text(container.entries()[other].key);
  }

  // Recursion: bounded by Limits::depth.
  void tell(const ListPlace& place, const Value& value, const std::function<void(const ListHistory&)>& visit) {
    if (place.list != Arena::npos && !(reading_.is_documents && path_.steps().empty())) visit(told(place.list));
    std::vector<const std::pair<std::size_t, ListPlace>*> members;
    for (const auto& member : place.members) members.push_back(&member);
    if (reading_.sort_keys && !value.is_sequence()) {
      std::ranges::stable_sort(members, {},
                               [&value](const auto* member) { return key_text(value.entries()[member->first].key); });
    }
    for (const auto* member : members) {
      push_step(value, member->first);
      tell(member->second, member_at(value, member->first), visit);
      path_.pop();
    }
  }

  void push_step(const Value& container, std::size_t position) {
    if (container.is_sequence()) return path_.push(position);
    path_.push(container.entries()[position].key);
  }

  [[nodiscard]] std::size_t innermost(const Path& path) const {
    const ListPlace* place = &root_;
    Value value = result_.value;
    std::size_t list = place->list;
    for (const Path::Step& step : path.steps()) {
      const std::size_t position = position_of(value, step);
      if (position == Arena::npos) break;
      const auto member =
          std::ranges::lower_bound(place->members, position, {}, &std::pair<std::size_t, ListPlace>::first);
      if (member == place->members.end() || member->first != position) break;
      place = &member->second;
      value = member_at(value, position);
      if (place->list != Arena::npos) list = place->list;
    }
    return list;
  }

  /// What the report says of a list.
  [[nodiscard]] ListHistory told(std::size_t number) {
    const List& list = lists_[number];
    ListHistory out;
    out.path = path_;
    out.value = list.value;
    for (const Item& item : list.items) out.items.push_back(source_of(item));
    std::vector<std::size_t> losers;
    for (std::size_t inner = number; inner < list.end; ++inner)
      losers.insert(losers.end(), lists_[inner].losers.begin(), lists_[inner].losers.end());
    std::ranges::sort(losers);
    for (const std::size_t path : losers) {
      stop_.tick(static_cast<std::uint32_t>(1 + paths_[path].contributions.size()));
      std::ranges::copy_if(paths_[path].contributions, std::back_inserter(out.dropped),
                           [](const Contribution& one) { return !counts(one); });
    }
    add_events(out, list_events(result_, path_.steps()));
    return out;
  }

  [[nodiscard]] Contribution source_of(const Item& item) const {
    Contribution out{.layer = kNoLayer, .fate = Fate::won, .value = item.leaf, .via = item.via};
    bool is_found = false;
    for (const Contribution& one : paths_[item.path].contributions) {
      // Of several that it was computed from, the one at its place.
      if (!counts(one) || (is_found && one.value.origin() != item.leaf.origin())) continue;
      is_found = one.value.origin() == item.leaf.origin();
      out.layer = one.layer;
      out.fate = one.fate;
    }
    return out;
  }

  void add_events(ListHistory& out, ListEvents met) const {
    // What a function or a conversion has made lies where no layer has anything: those that its items came from count.
    if (met.layers.empty()) {
      for (const Contribution& item : out.items) {
        if (item.layer != kNoLayer) met.layers.insert(item.layer);
      }
    }
    out.layers = met.layers.size();
    RuleId rule = met.ruled;
    if (met.events.empty()) {
      if (out.layers > 1) out.action = ListAction::joined;  // Made of items of several.
    } else if (out.layers > 1) {
      const ListAction action = met.events.front().action;
      const bool is_one =
          std::ranges::all_of(met.events, [action](const ListEvents::Event& event) { return event.action == action; });
      out.action = is_one ? action : ListAction::mixed;
      rule = met.events.front().rule;
    }
    if (rule == 0 && !met.layers.empty()) rule = history_.layer_rule(*met.layers.begin());
    out.rule = history_.rule(rule);
  }

  const History& history_;
  const Traced& result_;
  const ListReading& reading_;
  std::vector<PathHistory> paths_;
  StopCheck stop_;
  std::vector<std::size_t> leaves_;  ///< Those of the leaves of the result, in its order.
  std::size_t next_leaf_ = 0;
  Path path_;  ///< Of the list that is reported.
  ListPlace root_;
  std::vector<List> lists_;
};

}  // namespace

void each_list(const History& history, const Traced& result, const ListReading& reading,
               const std::function<void(const ListHistory&)>& visit) {
  Lists(history, result, reading).tell(visit);
}

}  // namespace strata::merge
