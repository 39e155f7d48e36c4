// SPDX-License-Identifier: Apache-2.0
#include "comparer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "effects.hpp"
#include "value/seeded_hash.hpp"

namespace strata::analysis {

Compared Comparer::alone(Subject& subject, ChangeKind kind) {
  Compared out{.name = subject.name(), .is_in_before = kind != ChangeKind::appeared};
  if (!settings_.runs) {
    std::shared_ptr<const Reads> reads = subject.reads();
    if (!reads) {
      // Which files bring it or take it away is known to those who ask.
      reads = subject.ask(std::nullopt).reads;
      ++asked_;
    }
    out.read = book_.read(*reads, {});
  }
  out.changes = shared({{.item = {}, .path = {}, .kind = kind}});
  return out;
}

bool Comparer::is_same(const std::shared_ptr<const Reads>& reads) {
  if (!reads || book_.inputs_differ() || !differing_in(reads, reads).is_same) return false;
  add_reads(*reads);
  return true;
}

Compared Comparer::pair(Subject& left, Subject& right, const std::shared_ptr<const Reads>& old_reads,
                        std::shared_ptr<const Member> member) {
  const auto new_reads = right.reads();
  if (old_reads && new_reads && !settings_.runs && !book_.inputs_differ()) {
    add_reads(*old_reads);
    const Differing& differing = differing_in(old_reads, new_reads);
    if (differing.is_same) return {.name = left.name(), .member = std::move(member)};
    return pair(left, right,
                {.differing = &differing, .touched = differing.files.empty() ? Touched() : left.touched(right)},
                std::move(member));
  }
  Compared out{.name = left.name(), .member = std::move(member)};
  ask(left, right, {}, false, out);
  return out;
}

Compared Comparer::pair(Subject& left, Subject& right, const Foreseen& foreseen, std::shared_ptr<const Member> member) {
  const Touched& touched = foreseen.touched;
  Compared out{.name = left.name(), .read = foreseen.differing->read, .member = std::move(member)};
  if (touched.items && touched.items->empty()) return out;
  const bool may_share = this->may_share(*foreseen.differing);
  const bool may_be_shared = touched.alike && may_share;
  bool is_found = may_be_shared && take_known(*touched.alike, out);
  if (!is_found && !touched.parts.empty() && may_share) {
    is_found = take_parts(left, right, touched, out);
    if (is_found && may_be_shared) keep(*touched.alike, out.changes);
  }
  if (is_found) {
    out.after.warnings = right.warnings();
    return out;
  }
  ask(left, right, touched.items, true, out);
  if (may_be_shared) keep(*touched.alike, out.changes);
  return out;
}

void Comparer::ask(Subject& left, Subject& right, const Wanted& items, bool is_known, Compared& out) {
  out.before = left.ask(items);
  ++asked_;
  if (!is_known) {
    add_reads(*out.before.reads);
    // Asked again, it would read the same and say the same.
    if (!settings_.runs && !book_.inputs_differ() && book_.is_same_for(*out.before.reads)) {
      add_lasting(out.before.outcome, {});
      return;
    }
  }
  out.after = right.ask(items);
  ++asked_;
  if (!is_known && !settings_.runs) {
    out.read = book_.read(*out.before.reads, *out.after.reads);
    leave_out_others(left, right, out);
  }
  std::vector<Change> changes = compare(out.before.outcome, out.after.outcome, settings_.how);
  add_lasting(out.before.outcome, changes);
  changes = analysis::wanted(std::move(changes), settings_.only);
  const auto values = changes.empty() ? nullptr : std::make_shared<Arena>();
  for (Change& change : changes) keep_values(change, *values);
  out.changes = shared(std::move(changes), values);
}

void Comparer::add_lasting(const Outcome& outcome, const std::vector<Change>& changes) {
  const auto add = [&](const Diagnostic& failure, const std::string& item) {
    const auto changes_item = [&item](const Change& one) { return one.item == item; };
    if (std::ranges::any_of(changes, changes_item)) return;
    Diagnostic note = failure;
    note.message =
        fmt::format("{}fails in both states: {}", item.empty() ? "" : fmt::format("'{}' ", item), failure.message);
    note.where.line.clear();  // It may hold a secret.
    note.notes.clear();
    note.hint.clear();
    lasting_.try_emplace(format(note, {}), std::move(note));
    if (lasting_.size() > kMostLasting) lasting_.erase(std::prev(lasting_.end()));
  };
  if (outcome.failure) return add(*outcome.failure, {});
  for (const Item& item : outcome.items) {
    if (item.failure) add(*item.failure, item.name);
  }
}

/// Answers of such subjects tell what those before them have read, too. What is read for its data is known for each of
/// them.
void Comparer::leave_out_others(Subject& left, Subject& right, Compared& out) {
  if (out.read.empty() || out.before.outcome.failure || out.after.outcome.failure) return;
  std::set<std::string> own;
  try {
    for (Subject* subject : {&left, &right}) {
      for (const ConfigurationFile& file : subject->files()->read()) {
        own.insert(file.path);
        own.insert(book_.place(file.path));
      }
    }
  } catch (const Error& error) {
    if (!is_failure(error)) throw;
    return;
  }
  data_.insert(own.begin(), own.end());
  std::erase_if(out.read, [&](std::size_t number) {
    const std::string& path = book_.path(number);
    return data_.contains(path) && !own.contains(path);
  });
}

std::optional<Comparer::Foreseen> Comparer::foresee(Asked& before, const Basis& basis,
                                                    const std::shared_ptr<const Reads>& reads) {
  if (book_.inputs_differ()) return std::nullopt;
  const Differing& differing = differing_in(reads, reads);
  if (!differing.are_kinds_same || differing.files.empty()) return std::nullopt;
  auto touched = before.touched(basis, differing.files);
  if (!touched) return std::nullopt;
  add_reads(*reads);
  return Foreseen{.differing = &differing, .touched = *std::move(touched)};
}

std::optional<Compared> Comparer::known(const Foreseen& foreseen, const std::shared_ptr<const Member>& member) {
  const Touched& touched = foreseen.touched;
  Compared out{.name = member->name(), .read = foreseen.differing->read, .member = member};
  if (touched.items && touched.items->empty()) return out;
  if (!may_share(*foreseen.differing)) return std::nullopt;
  const bool is_known =
      (touched.alike && take_known(*touched.alike, out)) || (!touched.parts.empty() && take_known_parts(touched, out));
  return is_known ? std::optional(std::move(out)) : std::nullopt;
}

bool Comparer::take_known(std::uint64_t alike, Compared& out) const {
  const auto known = changes_.find(alike);
  if (known == changes_.end()) return false;
  out.changes = known->second;
  return true;
}

void Comparer::keep(std::uint64_t alike, const std::vector<SharedChange>& changes) {
  constexpr std::size_t kMostClasses = 4096;
  constexpr std::size_t kMostChanges = std::size_t{1} << 16U;
  if (changes.size() > kMostChanges) return;
  changes_kept_ += changes.size();
  if (changes_.size() >= kMostClasses || changes_kept_ > kMostChanges) {
    changes_.clear();
    changes_kept_ = changes.size();
  }
  changes_.try_emplace(alike, changes);
}

/// An item with its place among the changes of a subject: first the items of the first state, then those that only the
/// second one has; of each those that fail come last.
struct Comparer::Ranked {
  Ranked(const Touched::Part& part, const ItemChanges& known) : what(&known) {
    using enum ItemChanges::Standing;
    const bool is_new = known.before == none;
    group = (is_new ? 2U : 0U) + ((is_new ? known.after : known.before) == failure ? 1U : 0U);
    rank = is_new ? part.after : part.before;
  }
  bool operator<(const Ranked& other) const { return std::tie(group, rank) < std::tie(other.group, other.rank); }

  unsigned group = 0;
  std::uint64_t rank = 0;
  const ItemChanges* what;
};

void Comparer::put_in_order(std::vector<Ranked>& parts, Compared& out) {
  std::ranges::sort(parts, std::less<>());
  for (const Ranked& part : parts)
    out.changes.insert(out.changes.end(), part.what->changes.begin(), part.what->changes.end());
}

const Comparer::ItemChanges* Comparer::known_part(std::uint64_t alike) const {
  const auto known = alike == Touched::Part::kNone ? parts_.end() : parts_.find(alike);
  return known == parts_.end() ? nullptr : &known->second;
}

bool Comparer::take_known_parts(const Touched& touched, Compared& out) const {
  std::vector<Ranked> ranked;
  for (const Touched::Part& part : touched.parts) {
    const ItemChanges* known = known_part(part.alike);
    if (known == nullptr) return false;
    if (!known->changes.empty()) ranked.emplace_back(part, *known);
  }
  put_in_order(ranked, out);
  return true;
}

bool Comparer::take_parts(Subject& left, Subject& right, const Touched& touched, Compared& out) {
  trim_parts();
  std::vector<std::string> unknown;
  for (std::size_t i = 0; i < touched.parts.size(); ++i) {
    if (known_part(touched.parts[i].alike) == nullptr) unknown.push_back((*touched.items)[i]);
  }
  std::vector<ItemChanges> found;
  if (!unknown.empty()) {
    const Subject::Answer before = left.ask(unknown);
    const Subject::Answer after = right.ask(unknown);
    asked_ += 2;
    // Who fails as a whole has no items.
    if (before.outcome.failure || after.outcome.failure) return false;
    found = changes_of(unknown, before.outcome, after.outcome);
  }
  std::vector<Ranked> ranked;
  std::size_t next = 0;
  for (std::size_t i = 0; i < touched.parts.size(); ++i) {
    const Touched::Part& part = touched.parts[i];
    const ItemChanges* one = nullptr;
    if (next < unknown.size() && unknown[next] == (*touched.items)[i]) {
      ItemChanges& made = found[next++];
      one = part.alike == Touched::Part::kNone ? &made : &(parts_[part.alike] = std::move(made));
    } else {
      one = known_part(part.alike);
    }
    if (!one->changes.empty()) ranked.emplace_back(part, *one);
  }
  put_in_order(ranked, out);
  return true;
}

std::vector<Comparer::ItemChanges> Comparer::changes_of(const std::vector<std::string>& items, const Outcome& before,
                                                        const Outcome& after) {
  std::vector<ItemChanges> out(items.size());
  TextViewMap<ItemChanges*> by_name;
  for (std::size_t i = 0; i < items.size(); ++i) by_name.emplace(items[i], &out[i]);
  const auto stand = [&by_name](const Outcome& outcome, ItemChanges::Standing ItemChanges::*side) {
    for (const Item& item : outcome.items) {
      const auto found = by_name.find(item.name);
      if (found != by_name.end())
        found->second->*side = item.failure ? ItemChanges::Standing::failure : ItemChanges::Standing::value;
    }
  };
  stand(before, &ItemChanges::before);
  stand(after, &ItemChanges::after);
  std::vector<Change> changes = analysis::wanted(compare(before, after, settings_.how), settings_.only);
  for (Change& change : changes) keep_values(change, *values_);
  for (SharedChange& change : shared(std::move(changes), values_)) {
    const auto found = by_name.find(change->item);
    if (found != by_name.end()) found->second->changes.push_back(std::move(change));
  }
  return out;
}

void Comparer::trim_parts() {
  constexpr std::size_t kMostParts = std::size_t{1} << 16U;
  constexpr std::size_t kMostBytes = std::size_t{16} << 20U;
  if (parts_.size() < kMostParts && values_->bytes() < kMostBytes) return;
  parts_.clear();
  values_ = std::make_shared<Arena>();
}

const Comparer::Differing& Comparer::differing_in(const std::shared_ptr<const Reads>& left,
                                                  const std::shared_ptr<const Reads>& right) {
  constexpr std::size_t kMostClasses = 512;
  if (differing_.size() >= kMostClasses || by_asked_.size() >= kMostClasses) {
    differing_.clear();
    others_.clear();
    if (by_asked_.size() >= kMostClasses) by_asked_.clear();
  }
  const auto [known, is_new] = differing_.try_emplace({left, right});
  if (!is_new) return *known->second;
  auto asked_left = book_.asked_of(*left);
  if (!asked_left) return *(known->second = &others_.emplace_back(find_differing(*left, *right)));
  auto asked_right = left == right ? *asked_left : *book_.asked_of(*right);
  const auto [place, is_first] = by_asked_.try_emplace({*std::move(asked_left), std::move(asked_right)});
  if (is_first) place->second = find_differing(*left, *right);
  return *(known->second = &place->second);
}

Comparer::Differing Comparer::find_differing(const Reads& left, const Reads& right) {
  Differing out;
  const bool is_one = &left == &right;
  out.files = book_.changed(left);
  if (!is_one) std::ranges::move(book_.changed(right), std::back_inserter(out.files));
  out.are_kinds_same = book_.has_same_kinds(left) && (is_one || book_.has_same_kinds(right));
  out.is_same = out.files.empty() && out.are_kinds_same;
  if (out.is_same) return out;
  std::ranges::sort(out.files);
  out.files.erase(std::unique(out.files.begin(), out.files.end()), out.files.end());
  out.read = book_.read(left, right);
  return out;
}

void Comparer::add_reads(const Reads& reads) {
  if (!settings_.keeps_reads) return;
  reads_.files.insert(reads.files.begin(), reads.files.end());
  reads_.folders.insert(reads.folders.begin(), reads.folders.end());
}

}  // namespace strata::analysis
