// SPDX-License-Identifier: Apache-2.0
#include "strata/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "causes.hpp"
#include "comparer.hpp"
#include "edit_book.hpp"
#include "effects.hpp"
#include "roster.hpp"
#include "strata/error.hpp"
#include "strata/near_names.hpp"
#include "strata/path.hpp"
#include "strata/stop.hpp"
#include "value/in_order.hpp"
#include "value/seeded_hash.hpp"

namespace strata::analysis {

bool matches(std::string_view pattern, std::string_view name) {
  // Greedy: goes back to the last star only.
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;
  std::size_t after_star = 0;
  const auto next_point = [&name](std::size_t at) {
    ++at;
    while (at < name.size() && (static_cast<unsigned char>(name[at]) & 0xC0U) == 0x80U) ++at;
    return at;
  };
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      after_star = n;
    } else if (p < pattern.size() && pattern[p] == '?') {
      ++p;
      n = next_point(n);
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++after_star;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::vector<Change> wanted(std::vector<Change> changes, const std::vector<std::string>& patterns) {
  if (patterns.empty()) return changes;
  std::erase_if(changes, [&patterns](const Change& change) {
    std::string name = change.item;
    if (name.empty()) {
      auto tokens = parse_pointer(change.path);
      if (tokens.empty()) return false;
      name = std::move(tokens.front());
    }
    return std::ranges::none_of(patterns, [&name](const std::string& pattern) { return matches(pattern, name); });
  });
  return changes;
}

class Study::Work {
 public:
  /// `roster`: the subjects of `before`. Null: not known.
  Work(const Question& question, const State& before, const Roster* roster, const State& after, StudySettings settings)
      : settings_(std::move(settings)),
        before_state_(before),
        after_state_(after),
        question_(question),
        book_(before, after, settings_.folder, settings_.how, settings_.edited),
        causes_(question, book_, settings_.how, settings_.most_causes),
        roster_(roster) {
    settings_.edited.paths = places_of(settings_.edited.paths, after);
    if (roster_ == nullptr) side_ = new_side(Question::Telling::all);
  }

  using Sink = std::function<void(Compared&)>;
  using IsWanted = std::function<bool(const std::string&)>;

  /// All subjects, those of the first state first, or those that are wanted. The values live as long as the call of
  /// `sink`.
  void each(const Sink& sink, const IsWanted& is_wanted = {}) {
    if (roster_ != nullptr) return each_known(sink, is_wanted);
    if (settings_.runs && settings_.runs->nodes) return pair_of_nodes(sink);
    auto first = side_->before->next();
    // With the same inputs, there are the same subjects.
    if (!settings_.runs && first && first->member() && !before_state_.inputs->may_differ(*after_state_.inputs)) {
      each_member(std::move(first), sink, is_wanted);
    } else {
      each_by_name(std::move(first), sink, is_wanted);
    }
  }

  /// From now on, subjects with several edits come with their answers.
  void keep_answers() {
    keeps_answers_ = true;
    each_side([](Side& side) { side.comparer.keep_answers(); });
  }

  void find_causes(Compared& subject) {
    const CauseFinder::Who who{.name = subject.name, .member = subject.member};
    causes_.find(who, subject.is_in_before ? &subject.before.outcome : nullptr, subject.read, subject.changes);
  }

  void restart() {
    if (!side_) return;
    side_->before->restart();
    side_->after->restart();
  }

  [[nodiscard]] const StudySettings& settings() const noexcept { return settings_; }
  [[nodiscard]] EditBook& book() noexcept { return book_; }
  [[nodiscard]] std::size_t asked() const {
    std::size_t out = 0;
    each_side([&out](const Side& side) { out += side.comparer.asked(); });
    return out;
  }
  [[nodiscard]] std::vector<Diagnostic> lasting_failures() const {
    std::map<std::string, Diagnostic> all;
    each_side([&all](const Side& side) {
      all.insert(side.comparer.lasting_failures().begin(), side.comparer.lasting_failures().end());
    });
    std::vector<Diagnostic> out;
    for (auto& [text, failure] : all) {
      if (out.size() < kMostLasting) out.push_back(std::move(failure));
    }
    return out;
  }
  [[nodiscard]] Reads reads() const {
    Reads out;
    each_side([&out](const Side& side) {
      const Reads& reads = side.comparer.reads();
      out.files.insert(reads.files.begin(), reads.files.end());
      out.folders.insert(reads.folders.begin(), reads.folders.end());
    });
    return out;
  }

 private:
  /// The question in both states, as one thread asks it.
  struct Side {
    std::unique_ptr<Asked> before;
    std::unique_ptr<Asked> after;
    Comparer comparer;
  };

  template <class Use>
  void each_side(const Use& use) const {
    if (side_) use(*side_);
    if (late_) use(*late_);
    for (const auto& [thread, side] : sides_) use(*side);
  }

  [[nodiscard]] const Question& after_question() const noexcept {
    return settings_.runs ? *settings_.runs->after : question_;
  }

  [[nodiscard]] std::unique_ptr<Side> new_side(Question::Telling telling) {
    auto out = std::make_unique<Side>(Side{.before = question_.in(before_state_, Question::History::no, telling),
                                           .after = after_question().in(after_state_, Question::History::no, telling),
                                           .comparer = {book_, settings_}});
    if (keeps_answers_) out->comparer.keep_answers();
    return out;
  }
  /// That of the calling thread. Warnings of its answers are reported when these are taken.
  [[nodiscard]] Side& side() {
    const std::lock_guard lock(sides_mutex_);
    auto& known = sides_[std::this_thread::get_id()];
    if (!known)
      known = new_side(roster_ != nullptr && !roster_->is_known_before() ? Question::Telling::reads
                                                                         : Question::Telling::nothing);
    return *known;
  }

  /// Compares one of those that tell only when they are asked what they read.
  [[nodiscard]] Compared late(const std::shared_ptr<const Member>& member,
                              const std::shared_ptr<const Reads>& old_reads) {
    if (!late_) late_ = new_side(Question::Telling::reads);
    const auto before = late_->before->subject(member);
    return late_->comparer.pair(*before, *late_->after->subject(member), old_reads, member);
  }

  void each_known(const Sink& sink, const IsWanted& is_wanted) {
    // Most of them are known as soon as one like them was asked.
    constexpr std::size_t kTogether = 32;
    using Entries = std::vector<const Roster::Entry*>;
    const std::vector<bool> touched = roster_->touched_by(settings_.edited.paths);
    auto entry = roster_->entries().begin();
    const auto next = [&]() -> std::optional<Entries> {
      Entries out;
      // Those who are not asked cost nothing.
      for (std::size_t asked = 0; entry != roster_->entries().end() && asked < kTogether; ++entry) {
        if (is_wanted && !is_wanted(entry->member->name())) continue;
        out.push_back(&*entry);
        if (touched[entry->of]) ++asked;
      }
      return out.empty() ? std::nullopt : std::optional(std::move(out));
    };
    struct Result {
      const Roster::Entry* entry;
      std::optional<Compared> compared;
    };
    const auto compare = [&](const Entries& entries) {
      std::vector<Result> out;
      out.reserve(entries.size());
      for (const Roster::Entry* one : entries) {
        out.push_back(
            {.entry = one, .compared = touched[one->of] ? compared(*one) : Compared{.name = one->member->name()}});
      }
      return out;
    };
    detail::InOrder<Entries, std::vector<Result>> all(roster_->is_known_before() ? settings_.executor : nullptr,
                                                      settings_.depth, next, compare);
    while (auto some = all.next()) {
      for (Result& one : *some) {
        if (!one.compared) one.compared = late(one.entry->member, roster_->reads(one.entry->of));
        sink(*one.compared);
      }
    }
  }

  /// No value: only asking tells what it reads.
  [[nodiscard]] std::optional<Compared> compared(const Roster::Entry& entry) {
    Side& own = side();
    const std::shared_ptr<const Reads>& reads = roster_->reads(entry.of);
    std::unique_ptr<Subject> left;
    if (!entry.basis) {
      left = own.before->subject(entry.member);
      entry.basis = left->basis();
    }
    if (*entry.basis) {
      if (auto known = foreseen(own, left.get(), **entry.basis, reads, entry.member)) return known;
    }
    if (!left) left = own.before->subject(entry.member);
    const auto right = own.after->subject(entry.member);
    if (roster_->is_known_before() && !right->reads()) return std::nullopt;
    return own.comparer.pair(*left, *right, reads, entry.member);
  }

  /// One of which it is known what can differ, because its places are the same in both states. No value: it is not
  /// known. `left`: may be null.
  [[nodiscard]] static std::optional<Compared> foreseen(Side& own, Subject* left, const Basis& basis,
                                                        const std::shared_ptr<const Reads>& reads,
                                                        const std::shared_ptr<const Member>& member) {
    const auto what = own.comparer.foresee(*own.before, basis, reads);
    if (!what) return std::nullopt;
    if (auto known = own.comparer.known(*what, member)) return known;
    std::unique_ptr<Subject> made;
    if (left == nullptr) left = (made = own.before->subject(member)).get();
    return own.comparer.pair(*left, *own.after->subject(member), *what, member);
  }

  void each_member(std::unique_ptr<Subject> left, const Sink& sink, const IsWanted& is_wanted) {
    // Reads that are known only after the evaluation may come from a log that all nodes of an Asked share.
    if (left->reads() == nullptr) return each_asked(std::move(left), sink, is_wanted);
    constexpr std::size_t kTogether = 16;
    using Members = std::vector<std::shared_ptr<const Member>>;
    struct Result {
      std::shared_ptr<const Member> member;
      std::optional<Compared> compared;
    };
    const auto next = [&]() -> std::optional<Members> {
      Members out;
      for (; left && out.size() < kTogether; left = side_->before->next()) {
        if (!is_wanted || is_wanted(left->name())) out.push_back(left->member());
      }
      return out.empty() ? std::nullopt : std::optional(std::move(out));
    };
    const auto compare = [this](const Members& members) {
      std::vector<Result> out;
      out.reserve(members.size());
      for (const auto& member : members) out.push_back({.member = member, .compared = compared(member)});
      return out;
    };
    detail::InOrder<Members, std::vector<Result>> all(settings_.executor, settings_.depth, next, compare);
    while (auto some = all.next()) {
      for (Result& one : *some) {
        if (!one.compared) one.compared = late(one.member, nullptr);
        side_->after->tell(one.compared->after.warnings);
        sink(*one.compared);
      }
    }
  }

  /// No value: only asking tells what it reads.
  [[nodiscard]] std::optional<Compared> compared(const std::shared_ptr<const Member>& member) {
    Side& own = side();
    const auto left = own.before->subject(member);
    const auto reads = left->reads();
    if (!reads) return std::nullopt;
    // The other state answers all that this one asks alike.
    if (own.comparer.is_same(reads)) return Compared{.name = left->name(), .member = member};
    const auto basis = left->basis();
    // A node with warnings of its own is evaluated in the other state as well.
    if (basis && left->warnings().empty()) {
      if (auto known = foreseen(own, left.get(), *basis, reads, member)) return known;
    }
    const auto right = own.after->subject(member);
    if (!right->reads()) return std::nullopt;
    return own.comparer.pair(*left, *right, reads, member);
  }

  void each_asked(std::unique_ptr<Subject> left, const Sink& sink, const IsWanted& is_wanted) {
    for (; left; left = side_->before->next()) {
      if (is_wanted && !is_wanted(left->name())) continue;
      const auto reads = left->reads();
      // The other state answers all that this one asks alike.
      Compared out{.name = left->name()};
      if (!side_->comparer.is_same(reads)) {
        const auto member = left->member();
        out = side_->comparer.pair(*left, *side_->after->subject(member), reads, member);
      }
      sink(out);
    }
  }

  void each_by_name(std::unique_ptr<Subject> left, const Sink& sink, const IsWanted& is_wanted) {
    Asked& after = *side_->after;
    // Of the second state: their turn has not come.
    std::list<std::unique_ptr<Subject>> passed;
    TextViewMap<std::list<std::unique_ptr<Subject>>::iterator> places;
    const auto alone = [&](Subject& subject, ChangeKind kind) {
      if (is_wanted && !is_wanted(subject.name())) return;
      Compared out = side_->comparer.alone(subject, kind);
      sink(out);
    };
    for (; left; left = side_->before->next()) {
      auto found = places.find(left->name());
      while (found == places.end()) {
        auto right = after.next();
        if (!right) break;
        passed.push_back(std::move(right));
        const auto last = std::prev(passed.end());
        const auto place = places.emplace((*last)->name(), last).first;
        if ((*last)->name() == left->name()) found = place;
      }
      if (found == places.end()) {
        alone(*left, ChangeKind::disappeared);
        continue;
      }
      const auto right = found->second;
      if (!is_wanted || is_wanted(left->name())) {
        Compared out = side_->comparer.pair(*left, **right, left->reads(), nullptr);
        sink(out);
      }
      places.erase(found);
      passed.erase(right);
    }
    for (const auto& right : passed) alone(*right, ChangeKind::appeared);
    while (const auto right = after.next()) alone(*right, ChangeKind::appeared);
  }

  /// The two nodes of Runs::nodes as one comparison.
  void pair_of_nodes(const Sink& sink) {
    const auto& [before, after] = *settings_.runs->nodes;
    const auto left = node_of(*side_->before, before);
    const auto right = node_of(*side_->after, after);
    Compared out = side_->comparer.pair(*left, *right, nullptr, nullptr);
    out.name = fmt::format("{} -> {}", before, after);
    sink(out);
  }

  [[nodiscard]] static std::unique_ptr<Subject> node_of(Asked& asked, const std::string& name) {
    std::vector<std::string> names;
    while (auto subject = asked.next()) {
      if (subject->name() == name) return subject;
      names.push_back(subject->name());
    }
    const bool has_names = std::ranges::any_of(names, [](const std::string& one) { return !one.empty(); });
    const std::vector<std::string_view> known(names.begin(), names.end());
    throw Error("analysis.node", fmt::format("the query has no node '{}'", name))
        .hint(name_hint(known, name,
                        has_names ? "name a node of its list" : "give the query a list of nodes: --nodes, or --fleet"));
  }

  StudySettings settings_;
  State before_state_;
  State after_state_;
  const Question& question_;
  EditBook book_;
  CauseFinder causes_;
  const Roster* roster_;
  std::unique_ptr<Side> side_;  ///< Null where there is a roster.
  std::unique_ptr<Side> late_;  ///< For those of many threads that only one may ask.
  std::mutex sides_mutex_;
  std::map<std::thread::id, std::unique_ptr<Side>> sides_;
  bool keeps_answers_ = false;
};

namespace {

/// Makes the numbers of causes those of the edits that are listed.
class Renumbering {
 public:
  explicit Renumbering(const EditBook::Listed& listed) : listed_(listed) {}

  void apply(SharedChange& change) {
    if (!change.causes || !change.causes->edits) return;
    const auto [known, is_new] = known_.try_emplace(change.causes);
    if (is_new) {
      Causes causes = *change.causes;
      for (std::size_t& number : *causes.edits) number = listed_.places.at(number);
      std::ranges::sort(*causes.edits);
      known->second = std::make_shared<const Causes>(std::move(causes));
    }
    change.causes = known->second;
  }

 private:
  const EditBook::Listed& listed_;
  std::map<std::shared_ptr<const Causes>, std::shared_ptr<const Causes>> known_;
};

/// Adds the causes of one more subject of an effect. The kind is that of the first one.
void unite(std::shared_ptr<const Causes>& all, const std::shared_ptr<const Causes>& more, bool is_first) {
  if (!all) all = more;
  if (all == more) return;
  Causes out = *all;
  if (is_first) out.kind = more->kind;
  if (!out.edits || !more->edits) {
    out.edits.reset();
  } else {
    for (const std::size_t edit : *more->edits) {
      if (std::ranges::find(*out.edits, edit) == out.edits->end()) out.edits->push_back(edit);
    }
  }
  if (out != *all) all = std::make_shared<const Causes>(std::move(out));
}

/// Adds what causes a subject's changes to those of its effects.
void unite(Effects& effects, const std::vector<std::size_t>& numbers, const std::string& subject,
           const std::vector<SharedChange>& changes) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] == Effects::kNotKept) continue;
    Effect& effect = effects[numbers[i]];
    const bool is_first = effect.subjects.first(1).front() == subject;
    if (effects.by() == GroupBy::change) {
      unite(effect.changes.front().causes, changes[i].causes, is_first);
    } else {
      for (std::size_t k = 0; k < changes.size(); ++k) unite(effect.changes[k].causes, changes[k].causes, is_first);
    }
  }
}

}  // namespace

Study::Study(const Question& question, const State& before, const State& after, StudySettings settings)
    : work_(std::make_unique<Work>(question, before, nullptr, after, std::move(settings))) {}
Study::Study(const Question& question, const State& before, const Roster& subjects, const State& after,
             StudySettings settings)
    : work_(std::make_unique<Work>(question, before, &subjects, after, std::move(settings))) {}
Study::~Study() = default;

namespace {

/// What a report may take, until its work must end.
class Room {
 public:
  explicit Room(const StudySettings& settings) : settings_(settings) {}
  void check() const { check_stop(settings_.how.stop); }
  void take(std::size_t changes) {
    check();
    taken_ += changes;
    if (taken_ <= settings_.most_changes) return;
    throw Error("limit.result", fmt::format("the report has more than {} changes", settings_.most_changes))
        .hint("ask for fewer items, or a smaller edit");
  }

 private:
  const StudySettings& settings_;
  std::size_t taken_ = 0;
};

}  // namespace

DiffReport Study::diff() {
  DiffReport out;
  if (work_->settings().finds_causes) work_->keep_answers();
  Room room(work_->settings());
  work_->each([&](Compared& subject) {
    ++out.total;
    room.take(subject.changes.size());
    if (subject.changes.empty()) return;
    if (work_->settings().finds_causes) work_->find_causes(subject);
    out.subjects.push_back({.subject = std::move(subject.name), .changes = std::move(subject.changes)});
  });
  EditBook::Listed listed = work_->book().listed();
  Renumbering renumbering(listed);
  for (SubjectChanges& subject : out.subjects) {
    room.check();
    for (SharedChange& change : subject.changes) renumbering.apply(change);
  }
  out.edits = std::move(listed.edits);
  return out;
}

ImpactReport Study::impact(GroupBy by) {
  ImpactReport out{.effects = Effects(by, work_->settings().most_effects)};
  // Of the subjects of one effect that read the same edits, the first one tells the causes.
  std::map<std::size_t, std::set<EditBook::Numbers>> told;
  std::map<std::string, std::vector<std::size_t>> later;
  std::size_t compared = 0;
  Room room(work_->settings());
  std::set<std::size_t> counted;
  work_->each([&](Compared& subject) {
    ++compared;
    room.check();
    if (work_->settings().count) work_->settings().count(compared);
    const std::vector<std::size_t> numbers = out.effects.add({.subject = subject.name, .changes = subject.changes});
    for (const std::size_t number : numbers) {
      if (number != Effects::kNotKept && counted.insert(number).second) room.take(out.effects[number].changes.size());
    }
    if (!work_->settings().finds_causes || numbers.empty()) return;
    bool is_new = false;
    for (const std::size_t number : numbers)
      is_new = (number != Effects::kNotKept && told[number].insert(subject.read).second) || is_new;
    if (!is_new) return;
    if (subject.read.size() > 1) {
      later.emplace(subject.name, numbers);
      return;
    }
    work_->find_causes(subject);
    unite(out.effects, numbers, subject.name, subject.changes);
  });
  // Trying takes its time: only for the effects that are printed first.
  std::vector<std::size_t> order = out.effects.order();
  order.resize(std::min(order.size(), work_->settings().most_caused));
  std::ranges::sort(order);
  std::erase_if(later, [&order](const auto& one) {
    return std::ranges::none_of(one.second,
                                [&order](std::size_t number) { return std::ranges::binary_search(order, number); });
  });
  if (!later.empty()) {
    work_->restart();
    work_->keep_answers();
    const auto find = [&](Compared& subject) {
      work_->find_causes(subject);
      unite(out.effects, later.at(subject.name), subject.name, subject.changes);
    };
    work_->each(find, [&later](const std::string& name) { return later.contains(name); });
  }
  EditBook::Listed listed = work_->book().listed();
  Renumbering renumbering(listed);
  const auto unknown = std::make_shared<const Causes>();
  for (const std::size_t number : out.effects.order()) {
    room.check();
    const bool is_caused = std::ranges::binary_search(order, number);
    for (SharedChange& change : out.effects[number].changes) {
      if (!is_caused && work_->settings().finds_causes) change.causes = unknown;
      renumbering.apply(change);
    }
  }
  out.edits = std::move(listed.edits);
  return out;
}

std::vector<std::string> Study::unread() { return work_->book().unread(); }
Reads Study::reads() const { return work_->reads(); }
std::vector<Diagnostic> Study::lasting_failures() const { return work_->lasting_failures(); }
std::size_t Study::asked() const noexcept { return work_->asked(); }

}  // namespace strata::analysis
