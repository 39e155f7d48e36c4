#include "strata/study.hpp"

#include <algorithm>
#include <functional>
#include <list>
#include <map>
#include <utility>

#include "causes.hpp"
#include "edit_book.hpp"
#include "effects.hpp"
#include "roster.hpp"
#include "strata/path.hpp"
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
        inputs_before_(before.inputs),
        inputs_after_(after.inputs),
        book_(before, after, settings_.folder, settings_.how, settings_.edited),
        causes_(question, book_, settings_.how, settings_.most_causes),
        roster_(roster),
        before_(question.in(before)),
        after_(question.in(after)) {}

  /// What one subject comes to.
  struct Compared {
    std::string name;
    std::vector<Change> changes;
    Subject::Answer before;
    Subject::Answer after;
    EditBook::Numbers read;  ///< The edits in what it reads.
    bool is_in_before = true;
    std::shared_ptr<const Member> member = {};  ///< If both states have the same.
  };
  using Sink = std::function<void(Compared&)>;

  /// All subjects, those of the first state first, or those that are wanted. The values live as long as the call of `sink`.
  void each(const Sink& sink, const std::function<bool(const std::string&)>& is_wanted = {}) {
    if (roster_ != nullptr) return each_known(sink, is_wanted);
    auto first = before_->next();
    // With the same inputs, there are the same subjects.
    if (first && first->member() && !inputs_before_->may_differ(*inputs_after_)) return each_member(std::move(first), sink, is_wanted);
    each_by_name(std::move(first), sink, is_wanted);
  }

  void find_causes(Compared& subject) {
    const CauseFinder::Who who{.name = subject.name, .member = subject.member};
    causes_.find(who, subject.is_in_before ? &subject.before.outcome : nullptr, subject.read, subject.changes);
  }

  void restart() {
    before_->restart();
    after_->restart();
  }

  [[nodiscard]] const StudySettings& settings() const noexcept { return settings_; }
  [[nodiscard]] EditBook& book() noexcept { return book_; }
  [[nodiscard]] std::size_t asked() const noexcept { return asked_; }
  [[nodiscard]] const Reads& reads() const noexcept { return reads_; }

 private:
  using IsWanted = std::function<bool(const std::string&)>;

  void each_known(const Sink& sink, const IsWanted& is_wanted) {
    const std::vector<bool> touched = roster_->touched_by(settings_.edited.paths);
    for (const Roster::Entry& entry : roster_->entries()) {
      if (is_wanted && !is_wanted(entry.member->name())) continue;
      if (!touched[entry.of]) {
        Compared out{.name = entry.member->name(), .changes = {}, .before = {}, .after = {}, .read = {}};
        sink(out);
        continue;
      }
      const auto left = before_->subject(entry.member);
      const auto right = after_->subject(entry.member);
      pair(*left, *right, roster_->reads(entry.of), entry.member, sink);
    }
  }

  void each_member(std::unique_ptr<Subject> left, const Sink& sink, const IsWanted& is_wanted) {
    for (; left; left = before_->next()) {
      if (is_wanted && !is_wanted(left->name())) continue;
      const auto member = left->member();
      const auto reads = left->reads();
      if (reads && !book_.inputs_differ() && differing_in(reads, reads).is_same) {
        // The other state answers all that this one asks alike.
        add_reads(reads);
        Compared out{.name = left->name(), .changes = {}, .before = {}, .after = {}, .read = {}};
        sink(out);
        continue;
      }
      pair(*left, *after_->subject(member), reads, member, sink);
    }
  }

  void each_by_name(std::unique_ptr<Subject> left, const Sink& sink, const IsWanted& is_wanted) {
    // Of the second state: their turn has not come.
    std::list<std::unique_ptr<Subject>> passed;
    TextViewMap<std::list<std::unique_ptr<Subject>>::iterator> places;
    for (; left; left = before_->next()) {
      auto found = places.find(left->name());
      while (found == places.end()) {
        auto right = after_->next();
        if (!right) break;
        passed.push_back(std::move(right));
        const auto last = std::prev(passed.end());
        const auto place = places.emplace((*last)->name(), last).first;
        if ((*last)->name() == left->name()) found = place;
      }
      const bool is_told = !is_wanted || is_wanted(left->name());
      if (found == places.end()) {
        if (is_told) alone(*left, ChangeKind::disappeared, sink);
        continue;
      }
      const auto right = found->second;
      if (is_told) pair(*left, **right, left->reads(), nullptr, sink);
      places.erase(found);
      passed.erase(right);
    }
    const auto appeared = [&](Subject& right) {
      if (!is_wanted || is_wanted(right.name())) alone(right, ChangeKind::appeared, sink);
    };
    for (const auto& right : passed) appeared(*right);
    while (const auto right = after_->next()) appeared(*right);
  }

  void add_reads(const std::shared_ptr<const Reads>& reads) {
    if (!settings_.keeps_reads) return;
    reads_.files.insert(reads->files.begin(), reads->files.end());
    reads_.folders.insert(reads->folders.begin(), reads->folders.end());
  }

  /// A subject that only one state has.
  void alone(Subject& subject, ChangeKind kind, const Sink& sink) {
    Compared out{.name = subject.name(), .changes = {}, .before = {}, .after = {}, .read = {}, .is_in_before = kind != ChangeKind::appeared};
    std::shared_ptr<const Reads> reads = subject.reads();
    if (!reads) {
      // Which files bring it or take it away is known to those who ask.
      reads = subject.ask(std::nullopt).reads;
      ++asked_;
    }
    out.read = book_.read(*reads, {});
    out.changes.push_back({.item = {}, .path = {}, .kind = kind});
    sink(out);
  }

  /// `old_reads`: those of `left` where they are known. `member`: where both have it.
  void pair(Subject& left, Subject& right, const std::shared_ptr<const Reads>& old_reads, const std::shared_ptr<const Member>& member,
            const Sink& sink) {
    Compared out{.name = left.name(), .changes = {}, .before = {}, .after = {}, .read = {}, .member = member};
    const auto new_reads = right.reads();
    Wanted wanted;
    const bool is_known = old_reads && new_reads && !book_.inputs_differ();
    if (is_known) {
      add_reads(old_reads);
      const Differing& differing = differing_in(old_reads, new_reads);
      if (differing.is_same) return sink(out);
      if (!differing.files.empty()) wanted = left.affected(right, differing.files);
      if (wanted && wanted->empty()) {
        out.read = book_.read(*old_reads, *new_reads);
        return sink(out);
      }
    }
    out.before = left.ask(wanted);
    ++asked_;
    add_reads(out.before.reads);
    if (!is_known && !book_.inputs_differ() && book_.is_same_for(*out.before.reads)) {
      // Asked again, it would read the same and say the same.
      return sink(out);
    }
    out.after = right.ask(wanted);
    ++asked_;
    out.read = book_.read(*out.before.reads, *out.after.reads);
    out.changes = analysis::wanted(compare(out.before.outcome, out.after.outcome, settings_.how), settings_.only);
    sink(out);
  }

  /// What differs for those who read so.
  struct Differing {
    bool is_same = true;
    std::vector<std::string> files;
  };
  const Differing& differing_in(const std::shared_ptr<const Reads>& left, const std::shared_ptr<const Reads>& right) {
    const auto [known, is_new] = differing_.try_emplace({left, right});
    Differing& out = known->second;
    if (!is_new) return out;
    out.is_same = book_.is_same_for(*left) && book_.is_same_for(*right);
    if (out.is_same) return out;
    out.files = book_.changed(*left);
    std::ranges::move(book_.changed(*right), std::back_inserter(out.files));
    std::ranges::sort(out.files);
    out.files.erase(std::unique(out.files.begin(), out.files.end()), out.files.end());
    return out;
  }

  StudySettings settings_;
  std::shared_ptr<const Inputs> inputs_before_;
  std::shared_ptr<const Inputs> inputs_after_;
  EditBook book_;
  CauseFinder causes_;
  const Roster* roster_;
  std::unique_ptr<Asked> before_;
  std::unique_ptr<Asked> after_;
  std::size_t asked_ = 0;
  Reads reads_;
  std::map<std::pair<std::shared_ptr<const Reads>, std::shared_ptr<const Reads>>, Differing> differing_;
};

namespace {

void keep_values(Change& change, Arena& arena) {
  if (change.before.value) change.before.value = arena.deep_copy(change.before.value);
  if (change.after.value) change.after.value = arena.deep_copy(change.after.value);
}

void renumber(Change& change, const EditBook::Listed& listed) {
  if (!change.causes || !change.causes->edits) return;
  for (std::size_t& number : *change.causes->edits) number = listed.places.at(number);
  std::ranges::sort(*change.causes->edits);
}

/// Adds the causes of one more subject of an effect. The kind is that of the first one.
void unite(std::optional<Causes>& all, const Causes& more, bool is_first) {
  if (!all) {
    all = more;
    return;
  }
  if (is_first) all->kind = more.kind;
  if (!all->edits || !more.edits) {
    all->edits.reset();
    return;
  }
  for (const std::size_t edit : *more.edits) {
    if (std::ranges::find(*all->edits, edit) == all->edits->end()) all->edits->push_back(edit);
  }
}

/// Adds what causes a subject's changes to those of its effects.
void unite(Effects& effects, const std::vector<std::size_t>& numbers, const std::string& subject, const std::vector<Change>& changes) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] == Effects::kNotKept) continue;
    Effect& effect = effects[numbers[i]];
    const bool is_first = effect.subjects.front() == subject;
    if (effects.by() == GroupBy::change) {
      unite(effect.changes.front().causes, *changes[i].causes, is_first);
    } else {
      for (std::size_t k = 0; k < changes.size(); ++k) unite(effect.changes[k].causes, *changes[k].causes, is_first);
    }
  }
}

}  // namespace

Study::Study(const Question& question, const State& before, const State& after, StudySettings settings)
    : work_(std::make_unique<Work>(question, before, nullptr, after, std::move(settings))) {}
Study::Study(const Question& question, const State& before, const Roster& subjects, const State& after, StudySettings settings)
    : work_(std::make_unique<Work>(question, before, &subjects, after, std::move(settings))) {}
Study::~Study() = default;

DiffReport Study::diff() {
  DiffReport out;
  work_->each([&](Work::Compared& subject) {
    ++out.total;
    if (subject.changes.empty()) return;
    if (work_->settings().finds_causes) work_->find_causes(subject);
    for (Change& change : subject.changes) keep_values(change, *out.memory);
    out.subjects.push_back({.subject = std::move(subject.name), .changes = std::move(subject.changes)});
  });
  EditBook::Listed listed = work_->book().listed();
  for (SubjectChanges& subject : out.subjects) {
    for (Change& change : subject.changes) renumber(change, listed);
  }
  out.edits = std::move(listed.edits);
  return out;
}

ImpactReport Study::impact(GroupBy by) {
  ImpactReport out{.effects = Effects(by, work_->settings().most_effects)};
  // Of the subjects of one effect that read the same edits, the first one tells the causes.
  std::map<std::size_t, std::set<EditBook::Numbers>> told;
  std::map<std::string, std::vector<std::size_t>> later;
  work_->each([&](Work::Compared& subject) {
    const std::vector<std::size_t> numbers = out.effects.add({.subject = subject.name, .changes = subject.changes});
    if (!work_->settings().finds_causes || numbers.empty()) return;
    bool is_new = false;
    for (const std::size_t number : numbers) is_new = (number != Effects::kNotKept && told[number].insert(subject.read).second) || is_new;
    if (!is_new) return;
    if (subject.read.size() > 1) {
      later.emplace(subject.name, numbers);
      return;
    }
    work_->find_causes(subject);
    unite(out.effects, numbers, subject.name, subject.changes);
  });
  // Trying takes its time: only for the effects that are told first.
  std::vector<std::size_t> order = out.effects.order();
  order.resize(std::min(order.size(), work_->settings().most_caused));
  std::ranges::sort(order);
  std::erase_if(later, [&order](const auto& one) {
    return std::ranges::none_of(one.second, [&order](std::size_t number) { return std::ranges::binary_search(order, number); });
  });
  if (!later.empty()) {
    work_->restart();
    const auto find = [&](Work::Compared& subject) {
      work_->find_causes(subject);
      unite(out.effects, later.at(subject.name), subject.name, subject.changes);
    };
    work_->each(find, [&later](const std::string& name) { return later.contains(name); });
  }
  EditBook::Listed listed = work_->book().listed();
  for (const std::size_t number : out.effects.order()) {
    const bool is_caused = std::ranges::binary_search(order, number);
    for (Change& change : out.effects[number].changes) {
      if (!is_caused && work_->settings().finds_causes) change.causes = Causes{};
      renumber(change, listed);
    }
  }
  out.edits = std::move(listed.edits);
  return out;
}

std::vector<std::string> Study::unread() { return work_->book().unread(); }
Reads Study::reads() const { return work_->reads(); }
std::size_t Study::asked() const noexcept { return work_->asked(); }

}  // namespace strata::analysis
