// SPDX-License-Identifier: Apache-2.0
#include "list_events.hpp"

#include <algorithm>
#include <unordered_set>

#include "access.hpp"
#include "recording.hpp"

namespace strata::merge {

using detail::ContainerNode;
using detail::Gone;
using detail::Meeting;
using detail::MeetingNode;
using detail::Node;

namespace {

/// Walks the history in a loop: meetings form long chains.
class Walk {
 public:
  explicit Walk(Steps path) : path_(path) {}

  ListEvents run(const Traced& result) {
    later(result, 0);
    while (!open_.empty()) {
      const Place place = open_.back();
      open_.pop_back();
      is_lost_ = place.is_lost;
      if (place.is_past) {
        past(place.traced, place.depth);
      } else {
        visit(place.traced, place.depth);
      }
    }
    return std::move(out_);
  }

 private:
  struct Place {
    Traced traced;
    std::size_t depth;  ///< How many steps of the path lead to it.
    bool is_lost;       ///< Nothing of it is in the result: how it was made does not matter.
    bool is_past = false;
  };

  [[nodiscard]] bool has(const Value& value, std::size_t depth) const { return leads(value, path_.subspan(depth)); }
  void later(const Traced& traced, std::size_t depth) { open_.push_back({traced, depth, is_lost_}); }
  void later_as_lost(const Traced& traced, std::size_t depth) { open_.push_back({traced, depth, true}); }

  void visit(const Traced& traced, std::size_t depth) {
    const Node* node = traced.slot.node();
    if (node == nullptr) {
      if (traced.slot.layer() != kNoLayer && has(traced.value, depth)) out_.layers.insert(traced.slot.layer());
    } else if (known_.insert(node).second) {
      if (node->is_container) {
        enter(traced, container_of(*node), depth);
      } else {
        meet(traced, meeting_of(*node), depth);
      }
    }
  }

  void meet(const Traced& traced, const MeetingNode& met, std::size_t depth) {
    if (is_computed(met)) return compute(traced, met, depth);
    if (met.meeting == Meeting::kept && !met.incoming.value) return note(met, depth), later(met.old, depth);
    const Traced& loser = met.meeting == Meeting::kept ? met.incoming : met.old;
    if (met.meeting == Meeting::told) {
      if (is_of_both(meeting_of(*met.old.slot.node()), depth)) happened(met.how.action, met.rule);
      return later(met.incoming, depth);
    }
    if (has(loser.value, depth)) happened(met.how.action, met.rule);
    later_as_lost(loser, depth);
    later(met.meeting == Meeting::kept ? met.old : met.incoming, depth);
  }

  /// An absent side: the value is said to follow a rule, or it has met an empty list.
  void note(const MeetingNode& met, std::size_t depth) {
    if (is_lost_) return;
    const LayerId layer = met.incoming.slot.layer();
    if (layer == kNoLayer) {
      // The nearest one says it.
      if (out_.ruled == 0 || depth > ruled_at_) {
        out_.ruled = met.rule;
        ruled_at_ = depth;
      }
      happened(met.how.action, met.rule);
    } else if (depth == path_.size()) {
      happened(met.how.action, met.rule);
      out_.layers.insert(layer);
    }
  }

  void compute(const Traced& traced, const MeetingNode& met, std::size_t depth) {
    if (is_of_both(met, depth)) happened(met.how.action, met.rule);
    // A list that was looked up for a text is that list.
    const bool is_list = depth == path_.size() && traced.value.is_sequence() && met.how.action == ListAction::single &&
                         (met.old.value.is_sequence() || met.incoming.value.is_sequence());
    for (const Traced* side : {&met.old, &met.incoming}) {
      if (!is_list || side->value.is_sequence()) later(*side, depth);
    }
  }

  [[nodiscard]] bool is_of_both(const MeetingNode& met, std::size_t depth) const {
    return has(met.old.value, depth) && has(met.incoming.value, depth);
  }

  void enter(const Traced& traced, const ContainerNode& node, std::size_t depth) {
    // The last one is visited first: what is there tells the newest.
    open_.push_back({{traced.value, node.past}, depth, is_lost_, true});
    if (depth == path_.size()) {
      for (const detail::ContainerMerge* merge = merges_of(node); merge != nullptr; merge = merge->earlier) {
        happened(merge->action, merge->rule);
        later(merge->incoming, depth);
        // With nothing, a list is united with itself: how its items came together before does not matter any more.
        if (merge->action == ListAction::united && merge->incoming.value.size() == 0 &&
            merge->incoming.slot.layer() == kNoLayer)
          is_lost_ = true;
      }
      members(traced);
    } else if (const std::size_t position = position_of(traced.value, path_[depth]); position != Arena::npos) {
      later(child_at(traced, position), depth + 1);
    } else {
      removed(node, depth);
    }
  }

  /// A list has the layers of its items: of one that was computed, where it stands, and not what it was computed with.
  void members(const Traced& list) {
    if (!list.value.is_sequence()) return;
    for (std::size_t i = 0; i < list.value.size(); ++i) {
      const Traced item = child_at(list, i);
      const auto all = contributions_of(item, {});
      const auto is_own = [&item](const Contribution& one) {
        return one.fate != Fate::merged || one.value.origin() == item.value.origin();
      };
      const bool has_own = item.value.is_leaf() && std::ranges::any_of(all, is_own);
      for (const Contribution& one : all) {
        if (one.layer != kNoLayer && (!has_own || is_own(one))) out_.layers.insert(one.layer);
      }
    }
  }

  /// What was there before it was removed.
  void removed(const ContainerNode& node, std::size_t depth) {
    const auto* key = std::get_if<Value>(&path_[depth]);
    if (key == nullptr) return;
    for (const Gone* gone = node.gone; gone != nullptr; gone = gone->earlier) {
      if (gone->key && equal(gone->key, *key)) return later_as_lost(gone->what, depth + 1);
    }
  }

  /// What a container has met before its members did.
  void past(const Traced& traced, std::size_t depth) {
    const bool is_there = depth == path_.size();
    Slot slot = traced.slot;
    while (true) {
      const Node* node = slot.node();
      if (node == nullptr) {
        if (is_there) later({traced.value, slot}, depth);
        return;
      }
      if (node->is_container) {
        slot = container_of(*node).past;
        continue;
      }
      const MeetingNode& met = meeting_of(*node);
      if (is_computed(met)) {
        if (is_there) {
          later({traced.value, slot}, depth);
        } else if (is_of_both(met, depth)) {
          happened(met.how.action, met.rule);
        }
        return;
      }
      const bool is_kept = met.meeting == Meeting::kept;
      if (is_kept && !met.incoming.value) {
        note(met, depth);
      } else if (met.meeting != Meeting::told) {
        const Traced& loser = is_kept ? met.incoming : met.old;
        if (has(loser.value, depth)) happened(met.how.action, met.rule);
        later_as_lost(loser, depth);
      } else if (is_of_both(meeting_of(*met.old.slot.node()), depth)) {
        happened(met.how.action, met.rule);
      }
      slot = is_kept ? met.old.slot : met.incoming.slot;
    }
  }

  void happened(ListAction action, RuleId rule) {
    if (action != ListAction::single && !is_lost_) out_.events.push_back({action, rule});
  }

  Steps path_;
  ListEvents out_;
  std::vector<Place> open_;
  std::size_t ruled_at_ = 0;  ///< The depth of what `ruled` is of.
  bool is_lost_ = false;
  // Functions, and dialects that derive values, make graphs of them: each node is looked at once.
  std::unordered_set<const Node*> known_;
};

}  // namespace

ListEvents list_events(const Traced& result, Steps path) { return Walk(path).run(result); }

}  // namespace strata::merge
