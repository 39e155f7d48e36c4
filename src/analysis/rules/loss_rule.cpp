// Items that merges of lists lose: neither because the list has them already, nor because somebody took them out.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/wording.hpp"
#include "rule.hpp"
#include "strata/list_history.hpp"

namespace strata::analysis {
namespace {

class LossRule final : public Rule {
 public:
  void see(const Seen& seen) override {
    const Outcome& outcome = seen.outcome;
    // Deckhand's actions remove what they name.
    if (outcome.history == nullptr || outcome.sources == nullptr || seen.question.results() == Results::documents) return;
    for (const Item& item : outcome.items) {
      if (item.failure || !item.value.is_container() || !may_lose(seen, item)) continue;
      lost_.clear();
      merge::each_list(*outcome.history, {item.value, item.slot}, {}, [&](const merge::ListHistory& list) { take(*outcome.sources, item, list); });
      keep();
    }
  }

  void conclude(const Evidence& evidence, Findings& findings) override {
    if (losses_.empty()) return;
    const std::map<Spot, const Statement*> items = items_by_leaf(evidence.ledger);
    for (const Loss& loss : losses_) {
      std::set<const Statement*> lost;
      std::size_t unknown = 0;
      for (const Excerpt& one : loss.leaves) {
        const auto item = items.find(spot_of(one.place));
        if (item == items.end()) {
          ++unknown;
        } else {
          lost.insert(item->second);
        }
      }
      std::string message = fmt::format("the merge loses {} of '{}'", counted(lost.size() + unknown, "item"), loss.list);
      std::string hint = "--explain=PATH shows it";
      const auto first = items.find(spot_of(loss.leaves.front().place));
      if (first == items.end()) {
        findings.add("lost-items", loss.leaves.front(), std::move(message), std::move(hint));
      } else {
        findings.add("lost-items", evidence.ledger, *first->second, std::move(message), std::move(hint));
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
    if (seen.question.results() != Results::keys) return true;
    const auto merging = seen.read.keys.find(item.name);
    return merging != seen.read.keys.end() && merging->second.joins_items;
  }

  void take(const Sources& sources, const Item& item, const merge::ListHistory& list) {
    for (const merge::Contribution& one : list.dropped) {
      if (one.loss != merge::Loss::removed) continue;
      Excerpt where{.place = sources.place(one.value.origin()), .line = sources.line_of(one.value.origin()), .message = {}};
      if (where.place.file.empty()) continue;
      // Of lists in one another the innermost has lost it: that comes last.
      const Spot spot = spot_of(where.place);
      lost_.insert_or_assign(spot, std::pair(joined_name(item.name, list.path.pointer()), std::move(where)));
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

  static std::map<Spot, const Statement*> items_by_leaf(const Ledger& ledger) {
    std::map<Spot, const Statement*> out;
    for (const auto& file : ledger.files()) {
      for (const LeafRecord& leaf : file->leaves) {
        const Statement* item = &ledger.statements()[leaf.statement];
        while (!item->is_item && item->parent != Statement::kNone) item = &ledger.statements()[item->parent];
        if (item->is_item) out.emplace(spot_of(file->reading->sources->place(leaf.value.origin())), item);
      }
    }
    return out;
  }

  std::map<Spot, std::pair<std::string, Excerpt>> lost_;  ///< Of one item of a result: the list and the place.
  std::set<std::pair<std::string, Spot>> told_;
  std::vector<Loss> losses_;
};

}  // namespace

std::unique_ptr<Rule> make_loss_rule() { return std::make_unique<LossRule>(); }

}  // namespace strata::analysis
