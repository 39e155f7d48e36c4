// SPDX-License-Identifier: Apache-2.0
// Proves that statements matter, with a number of evaluations that grows with the logarithm of their number.
//
// Problem: most items of a long list matter. To learn that by removing each of them takes as many evaluations as there
// are items, each of which reads the whole text: quadratic in the list.
//
// Idea: predict. The values of a result know where they are written. If the node of a statement is in the result, the
// likely effect of removing the statement is that exactly its nodes are missing. For a group of statements, one
// evaluation compares that prediction with the real result. A list without an item differs from the list, and so does a
// mapping without a member: a statement for which the prediction holds matters.
//
// A correct prediction for a group says less than one for each statement alone: of two statements, each can take the
// place of the other, so that both are dead, and yet both nodes are missing if both are removed. Therefore statements
// are numbered, and for each binary digit of the number, those with a 0 and those with a 1 are removed in two
// evaluations. For any two statements, some group holds the first but not the second, and there the second one would
// show in the place of the first. Statements without a node in the result (hidden by a stronger one, or equal to one
// that the merge keeps) are in no group: they are always present and would show in the same way.
//
// Invariant: a proven statement is in a group without any given other one, and all its groups were predicted correctly.
// So no single statement can replace it. Two others can, but only if either of them alone leaves no trace: a merge
// that fills a place from two values fills it in part if one of them is missing, and that is not the prediction.
//
// A group with a wrong prediction is halved until the statements that cause it are found; these are left to the caller,
// who removes each of them alone. Nothing is concluded from wrong predictions.
//
// Cost: 2 + 2 × log2(statements) evaluations, and two for each halving. The caller bounds the halvings: beyond them,
// all of a group is left to it. Tested by tests/cli/long_lists_test.py, against the removal of each statement alone and
// for the number of evaluations.
#include "analysis/group_proof.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <unordered_map>

#include "strata/origin.hpp"

namespace strata::analysis {
namespace {

using Group = std::vector<std::uint32_t>;

/// The results of one target without statements: predicted and real ones.
class Prediction {
 public:
  /// `removed`: numbers of statements.
  Prediction(const Statements& stated, std::span<const std::uint32_t> removed) : stated_(stated) {
    for (const std::uint32_t number : removed) {
      const Statement& one = stated.all()[number];
      const auto position = stated.files()[one.file]->reading->sources->position(one.value.origin());
      if (position && !one.value.origin().through_alias()) by_file_[one.file].try_emplace(key_of(*position), number);
    }
  }

  /// Whether the second outcome is the first one without the nodes of the statements.
  [[nodiscard]] bool holds(const Outcome& before, const Outcome& after) {
    std::size_t kept = 0;
    for (const Item& item : before.items) {
      if (node_of(*before.sources, item.value)) continue;
      const auto other = kept < after.items.size() && after.items[kept].name == item.name
                             ? after.items.begin() + static_cast<std::ptrdiff_t>(kept)
                             : std::ranges::find(after.items, item.name, &Item::name);
      if (other == after.items.end() || item.failure || other->failure ||
          !is_rest(*before.sources, item.value, other->value))
        return false;
      ++kept;
    }
    return kept == after.items.size();
  }

  /// Those of the statements that have a node in a result.
  [[nodiscard]] Group visible(const Outcome& outcome) {
    Group out;
    for (const Item& item : outcome.items) collect(*outcome.sources, item.value, out);
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

 private:
  using ByPlace = std::unordered_map<std::uint64_t, std::uint32_t>;

  static std::uint64_t key_of(const Position& position) {
    return std::uint64_t{position.line} << 32U | position.column;
  }

  /// The statement whose value a node of a result is, unchanged.
  [[nodiscard]] std::optional<std::uint32_t> node_of(const Sources& sources, const Value& node) {
    if (!node.origin() || node.origin().through_alias()) return std::nullopt;
    const auto position = sources.position(node.origin());
    if (!position) return std::nullopt;
    const ByPlace* places = places_of(sources, position->source);
    if (places == nullptr) return std::nullopt;
    const auto found = places->find(key_of(*position));
    if (found == places->end() || !identical(node, stated_.all()[found->second].value)) return std::nullopt;
    return found->second;
  }

  const ByPlace* places_of(const Sources& sources, SourceId source) {
    const auto [known, is_new] = by_source_.try_emplace({&sources, source}, nullptr);
    if (is_new && sources.part(source).empty()) {
      const auto file = stated_.find_shown(sources.file(source));
      const auto found = file ? by_file_.find(*file) : by_file_.end();
      if (found != by_file_.end()) known->second = &found->second;
    }
    return known->second;
  }

  // Recursion: bounded by Limits::depth.
  [[nodiscard]] bool is_rest(const Sources& sources, const Value& before, const Value& after) {
    if (before.kind() != after.kind()) return false;
    std::size_t kept = 0;
    if (before.is_sequence()) {
      for (const Value& item : before.items()) {
        if (node_of(sources, item)) continue;
        if (kept == after.size() || !is_rest(sources, item, after.items()[kept])) return false;
        ++kept;
      }
      return kept == after.size();
    }
    if (before.kind() != Kind::mapping) return identical(before, after);
    for (const Entry& entry : before.entries()) {
      if (node_of(sources, entry.value)) continue;
      // The order of members is that of the first result, or else nothing is concluded.
      if (kept == after.size() || !identical(entry.key, after.entries()[kept].key) ||
          !is_rest(sources, entry.value, after.entries()[kept].value))
        return false;
      ++kept;
    }
    return kept == after.size();
  }

  // Recursion: bounded by Limits::depth.
  void collect(const Sources& sources, const Value& value, Group& out) {
    if (const auto statement = node_of(sources, value)) {
      out.push_back(*statement);
    } else if (value.is_sequence()) {
      for (const Value& item : value.items()) collect(sources, item, out);
    } else if (value.kind() == Kind::mapping) {
      for (const Entry& entry : value.entries()) collect(sources, entry.value, out);
    }
  }

  const Statements& stated_;
  std::unordered_map<std::uint32_t, ByPlace> by_file_;  ///< The statements by the places of their values.
  std::map<std::pair<const Sources*, SourceId>, const ByPlace*> by_source_;
};

class GroupProof {
 public:
  GroupProof(const Statements& stated, const EvaluateWithout& evaluate, std::size_t most_halvings)
      : stated_(stated), evaluate_(evaluate), most_halvings_(most_halvings) {}

  [[nodiscard]] Group run(std::span<const std::uint32_t> statements) {
    const Group candidates = visible(statements);
    if (candidates.empty()) return {};
    is_open_.assign(stated_.all().size(), false);
    for (const std::uint32_t one : candidates) is_open_[one] = true;
    narrow(candidates);
    const Group numbered = open_of(candidates);
    for (std::size_t bit = 1; bit < numbered.size(); bit *= 2) {
      for (const std::size_t digit : {std::size_t{0}, bit}) {
        Group group;
        for (std::size_t i = 0; i < numbered.size(); ++i) {
          if ((i & bit) == digit) group.push_back(numbered[i]);
        }
        narrow(open_of(group));
      }
    }
    return open_of(candidates);
  }

 private:
  [[nodiscard]] Group open_of(const Group& group) const {
    Group out;
    std::ranges::copy_if(group, std::back_inserter(out), [this](std::uint32_t one) { return is_open_[one]; });
    return out;
  }

  [[nodiscard]] Group visible(std::span<const std::uint32_t> statements) {
    Group out;
    // It is the result with all of them that counts, whichever of them the evaluation removes.
    for (auto some = statements; !some.empty() && out.empty(); some = some.first(some.size() / 2)) {
      evaluate_(some, [&](const Outcome& before, const Outcome& /*after*/) {
        out = Prediction(stated_, statements).visible(before);
      });
    }
    return out;
  }

  /// Closes those statements of a group whose removal has other effects than predicted. Recursion: halves.
  void narrow(std::span<const std::uint32_t> group) {
    if (group.empty()) return;
    bool is_as_predicted = false;
    evaluate_(group, [&](const Outcome& before, const Outcome& after) {
      is_as_predicted = Prediction(stated_, group).holds(before, after);
    });
    if (is_as_predicted) return;
    if (group.size() == 1 || halvings_ == most_halvings_) {
      for (const std::uint32_t one : group) is_open_[one] = false;
      return;
    }
    ++halvings_;
    narrow(group.first(group.size() / 2));
    narrow(group.subspan(group.size() / 2));
  }
  void narrow(const Group& group) { narrow(std::span<const std::uint32_t>(group)); }

  const Statements& stated_;
  const EvaluateWithout& evaluate_;
  std::size_t most_halvings_;
  std::size_t halvings_ = 0;
  std::vector<bool> is_open_;  ///< By statement: nothing speaks against it.
};

}  // namespace

std::size_t evaluations_of_groups(std::size_t statements) {
  return 2 + 2 * static_cast<std::size_t>(std::bit_width(statements));
}

std::vector<std::uint32_t> needed_by_groups(const Statements& stated, std::span<const std::uint32_t> statements,
                                            const EvaluateWithout& evaluate, std::size_t most_halvings) {
  return GroupProof(stated, evaluate, most_halvings).run(statements);
}

}  // namespace strata::analysis
