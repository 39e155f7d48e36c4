// SPDX-License-Identifier: Apache-2.0
#include "causes.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "effects.hpp"
#include "strata/error.hpp"

namespace strata::analysis {

std::string_view to_string(CauseKind kind) noexcept {
  return kind == CauseKind::each ? "each" : kind == CauseKind::any ? "any" : "together";
}

std::vector<CauseFinder::Unit> CauseFinder::units(const EditBook::Numbers& read) const {
  std::vector<Unit> out;
  for (const std::size_t number : read) {
    const bool joins = read.size() > most_ && !out.empty() && book_.path(out.back().front()) == book_.path(number);
    if (joins) {
      out.back().push_back(number);
    } else {
      out.push_back({number});
    }
  }
  return out;
}

std::unique_ptr<Subject> CauseFinder::subject_of(Asked& asked, const Who& who) {
  if (who.member) return asked.subject(who.member);
  // The next one as a rule; else once around.
  for (bool again : {false, true}) {
    while (auto subject = asked.next()) {
      if (subject->name() == who.name) return subject;
    }
    if (!again) asked.restart();
  }
  return nullptr;
}

/// What differs from `before` for a subject of a trial. `answer` owns the values.
std::vector<Change> CauseFinder::changes_in(Asked& asked, const Who& subject, const Outcome* before,
                                            Subject::Answer& answer) {
  const auto found = subject_of(asked, subject);
  if (found && before != nullptr) {
    answer = found->ask(std::nullopt);
    return compare(*before, answer.outcome, how_);
  }
  if (!found == (before == nullptr)) return {};
  return {{.item = {}, .path = {}, .kind = found ? ChangeKind::appeared : ChangeKind::disappeared}};
}

std::vector<bool> CauseFinder::shown(const Who& subject, const Outcome* before, const Unit& unit, Direction direction,
                                     const std::vector<SharedChange>& changes) {
  constexpr std::size_t kMostTrials = 128;
  std::vector<bool> out(changes.size(), false);
  if (trials_.size() >= kMostTrials && !trials_.contains({unit, direction})) trials_.clear();
  Trial& trial = trials_[{unit, direction}];
  if (trial.has_failed) return out;
  try {
    if (!trial.asked)
      trial.asked = question_.in(direction == Direction::undone ? book_.undone(unit) : book_.done(unit));
    Subject::Answer answer;
    const std::vector<Change> others = changes_in(*trial.asked, subject, before, answer);
    std::unordered_multimap<std::uint64_t, const Change*> by_hash;
    for (const Change& other : others) by_hash.emplace(hash_of(other, true), &other);
    for (std::size_t i = 0; i < changes.size(); ++i) {
      const auto [first, last] = by_hash.equal_range(changes[i].hash());
      out[i] = std::any_of(first, last, [&](const auto& other) { return is_same(*other.second, *changes[i], true); });
    }
  } catch (const Error& error) {
    if (!is_failure(error)) throw;
    trial.has_failed = true;
    trial.asked.reset();
  }
  return out;
}

void CauseFinder::find(const Who& subject, const Outcome* before, const EditBook::Numbers& read,
                       std::vector<SharedChange>& changes) {
  if (changes.empty()) return;
  const auto set_all = [&](CauseKind kind, const std::optional<EditBook::Numbers>& edits) {
    if (last_ == nullptr || last_->kind != kind || last_->edits != edits)
      last_ = std::make_shared<const Causes>(Causes{.kind = kind, .edits = edits});
    for (SharedChange& change : changes) change.causes = last_;
  };
  if (read.size() < 2) return set_all(read.empty() ? CauseKind::together : CauseKind::each, read);
  const std::vector<Unit> all = units(read);
  if (all.size() > most_) return set_all(CauseKind::together, std::nullopt);
  if (all.size() == 1) return set_all(CauseKind::each, read);
  std::vector<Causes> causes(changes.size(), Causes{.kind = CauseKind::each, .edits = EditBook::Numbers()});
  const auto add = [](Causes& to, const Unit& unit) { to.edits->insert(to.edits->end(), unit.begin(), unit.end()); };
  for (const Unit& unit : all) {
    const std::vector<bool> still = shown(subject, before, unit, Direction::undone, changes);
    for (std::size_t i = 0; i < changes.size(); ++i) {
      if (!still[i]) add(causes[i], unit);
    }
  }
  std::vector<bool> open(changes.size());
  for (std::size_t i = 0; i < changes.size(); ++i) open[i] = causes[i].edits->empty();
  const bool is_any_open = std::ranges::find(open, true) != open.end();
  for (const Unit& unit : all) {
    if (!is_any_open) break;
    const std::vector<bool> already = shown(subject, before, unit, Direction::done, changes);
    for (std::size_t i = 0; i < changes.size(); ++i) {
      if (!open[i] || !already[i]) continue;
      causes[i].kind = CauseKind::any;
      add(causes[i], unit);
    }
  }
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (causes[i].edits->empty()) causes[i] = {.kind = CauseKind::together, .edits = read};
    const bool is_as_before = i > 0 && *changes[i - 1].causes == causes[i];
    changes[i].causes = is_as_before ? changes[i - 1].causes : std::make_shared<const Causes>(std::move(causes[i]));
  }
}

}  // namespace strata::analysis
