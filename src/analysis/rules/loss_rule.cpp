// SPDX-License-Identifier: Apache-2.0
// Items that merges of lists lose: neither because the list has them already, nor because a knockout removed them.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/wording.hpp"
#include "locator.hpp"
#include "strata/list_history.hpp"

namespace strata::analysis {
namespace {

class LossRule final : public Rule {
 public:
  void see(const Seen& seen) override {
    const Outcome& outcome = seen.outcome;
    if (outcome.history == nullptr || outcome.sources == nullptr || !seen.question.traits().merges_lists) return;
    for (const Item& item : outcome.items) {
      if (item.failure || !item.value.is_container() || !may_lose(seen, item)) continue;
      lost_.clear();
      merge::each_list(*outcome.history, {item.value, item.slot}, {},
                       [&](const merge::ListHistory& list) { take(*outcome.sources, item, list); });
      if (!lost_.empty()) leave_out_moved(outcome, item);
      keep();
    }
  }

  void conclude(const Evidence& evidence, Findings& findings) override {
    if (losses_.empty()) return;
    const StatementPlaces places(evidence.ledger);
    const auto item_at = [&](const Excerpt& leaf) {
      return item_of(evidence.ledger, places.of_leaf(spot_of(leaf.place)));
    };
    for (const Loss& loss : losses_) {
      std::set<const Statement*> lost;
      std::size_t unknown = 0;
      for (const Excerpt& one : loss.leaves) {
        if (const Statement* item = item_at(one)) {
          lost.insert(item);
        } else {
          ++unknown;
        }
      }
      std::string message =
          fmt::format("the merge loses {} of '{}'", counted(lost.size() + unknown, "item"), loss.list);
      std::string hint = "--explain=PATH shows it";
      if (const Statement* first = item_at(loss.leaves.front())) {
        findings.add("lost-items", evidence.ledger, *first, std::move(message), std::move(hint));
      } else {
        findings.add("lost-items", loss.leaves.front(), std::move(message), std::move(hint));
      }
    }
  }

 private:
  /// What one list of a result has lost.
  struct Loss {
    std::string list;
    std::vector<Excerpt> leaves = {};
  };

  static bool may_lose(const Seen& seen, const Item& item) {
    if (!seen.question.traits().merges_by_key()) return true;
    const auto merging = seen.read.keys.find(item.name);
    return merging != seen.read.keys.end() && merging->second.joins_items;
  }

  void take(const Sources& sources, const Item& item, const merge::ListHistory& list) {
    // What one layer alone has was computed, and not merged; or it was merged with itself, which loses items where it
    // knocks others out.
    const bool has_knockouts =
        std::ranges::find(list.dropped, merge::Loss::knocked_out, &merge::Contribution::loss) != list.dropped.end();
    if (list.action == merge::ListAction::single && !has_knockouts) return;
    for (const merge::Contribution& one : list.dropped) {
      if (one.loss != merge::Loss::removed) continue;
      Excerpt where = excerpt_at(sources, one.value.origin());
      if (where.place.file.empty()) continue;
      // Of lists in one another the innermost has lost it: that comes last.
      const Spot spot = spot_of(where.place);
      lost_.insert_or_assign(spot, std::pair(joined_name(item.name, list.path.pointer()), std::move(where)));
    }
  }

  /// A conversion moves what a list or mapping held.
  void leave_out_moved(const Outcome& outcome, const Item& item) {
    for (const merge::PathHistory& path : outcome.history->explain({item.value, item.slot})) {
      for (const merge::Contribution& one : path.contributions) {
        if (one.fate == merge::Fate::won || one.fate == merge::Fate::merged) leave_out(*outcome.sources, one.value);
      }
    }
  }

  // Recursion: bounded by Limits::depth.
  void leave_out(const Sources& sources, const Value& value) {
    if (value.is_leaf()) {
      lost_.erase(spot_of(sources.place(value.origin())));
    } else if (value.is_sequence()) {
      for (const Value& member : value.items()) leave_out(sources, member);
    } else if (value.is_mapping()) {
      for (const Entry& entry : value.entries()) leave_out(sources, entry.value);
    }
  }

  void keep() {
    std::map<std::string, Loss> by_list;
    for (auto& [spot, lost] : lost_) {
      Loss& loss = by_list.try_emplace(lost.first, Loss{.list = lost.first}).first->second;
      loss.leaves.push_back(std::move(lost.second));
    }
    for (auto& [list, loss] : by_list) {
      if (told_.emplace(list, spot_of(loss.leaves.front().place)).second) losses_.push_back(std::move(loss));
    }
  }

  /// The item of a list that a leaf belongs to.
  static const Statement* item_of(const Ledger& ledger, const Statement* statement) {
    while (statement != nullptr && !statement->is_item) {
      statement = statement->parent == Statement::kNone ? nullptr : &ledger.stated().all()[statement->parent];
    }
    return statement;
  }

  std::map<Spot, std::pair<std::string, Excerpt>> lost_;  ///< Of one item of a result: the list and the place.
  std::set<std::pair<std::string, Spot>> told_;
  std::vector<Loss> losses_;
};

}  // namespace

std::unique_ptr<Rule> make_loss_rule() { return std::make_unique<LossRule>(); }

}  // namespace strata::analysis
