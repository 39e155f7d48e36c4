// SPDX-License-Identifier: Apache-2.0
#include "analysis/trial.hpp"

#include <algorithm>
#include <unordered_set>

#include "strata/links.hpp"
#include "value/seeded_hash.hpp"

namespace strata::analysis {
namespace {

class Trial {
 public:
  Trial(const Question& question, const State& after, const std::set<std::string>& edited, const TakeTried& take,
        const Asking& asking)
      : is_ordered_(question.traits().orders_members), files_(*after.files), take_(take), asking_(asking) {
    for (const std::string& path : edited) edited_.emplace_back(path, detail::real_path(*after.files, path));
  }

  bool compare(Subject& left, Subject& right, std::size_t number) {
    const auto reads = left.reads();
    std::vector<std::string> read;
    bool is_known = false;
    if (reads) {
      read = read_of(*reads);
      is_known = true;
    } else if (const auto* known = asking_.reads == nullptr ? nullptr : asking_.reads->of(number)) {
      read = read_among(*known);
      is_known = true;
    }
    if (is_known && (read.empty() || !matters(read, number))) return true;
    const Touched touched = reads ? left.touched(right) : Touched();
    const Wanted& wanted = touched.items;
    if (wanted && wanted->empty()) return true;
    if (touched.alike && !taken_.insert(*touched.alike).second && !(asking_.is_needed && asking_.is_needed(number)))
      return true;
    const Subject::Answer old = left.ask(wanted);
    if (!is_known) {
      // Of a subject that fails, it is known in part.
      read = old.outcome.failure ? read_of(*old.reads) : read_by(left, *old.reads, number);
      if (!old.outcome.failure && (read.empty() || !matters(read, number))) return true;
    }
    const Subject::Answer now = right.ask(wanted);
    Tried tried{.number = number, .read = read, .before = old.outcome, .after = now.outcome};
    const auto& failure = old.outcome.failure;
    const auto& new_failure = now.outcome.failure;
    if (failure || new_failure) {
      tried.fails_otherwise = !failure || !new_failure || !is_same_failure(*failure, *new_failure);
    } else {
      tried.changed = changed_items(old.outcome, now.outcome);
    }
    return take_(tried);
  }

 private:
  [[nodiscard]] bool matters(const std::vector<std::string>& read, std::size_t number) const {
    return !asking_.matters || asking_.matters(read, number);
  }

  /// Of a subject that tells only afterwards what it reads: `reads` may also be what those before it have read.
  [[nodiscard]] std::vector<std::string> read_by(Subject& subject, const Reads& reads, std::size_t number) const {
    try {
      std::vector<std::string> own;
      for (const ConfigurationFile& file : subject.files()->read()) own.push_back(detail::real_path(files_, file.path));
      std::ranges::sort(own);
      own.erase(std::unique(own.begin(), own.end()), own.end());
      std::vector<std::string> out = read_among(own);
      if (asking_.reads != nullptr) asking_.reads->note(number, std::move(own));
      return out;
    } catch (const Error& error) {
      if (!is_failure(error)) throw;
      return read_of(reads);
    }
  }

  /// `files`: rising.
  [[nodiscard]] std::vector<std::string> read_among(const std::vector<std::string>& files) const {
    std::vector<std::string> out;
    for (const auto& [path, place] : edited_) {
      if (std::ranges::binary_search(files, place)) out.push_back(path);
    }
    return out;
  }

  [[nodiscard]] std::vector<std::string> read_of(const Reads& reads) const {
    std::vector<std::string> out;
    for (const auto& [path, place] : edited_) {
      if (reads.files.contains(place)) out.push_back(path);
    }
    return out;
  }

  [[nodiscard]] std::set<std::string> changed_items(const Outcome& before, const Outcome& after) const {
    std::set<std::string> out;
    TextViewMap<const Item*> others;
    for (const Item& item : after.items) others.emplace(item.name, &item);
    for (const Item& item : before.items) {
      const auto other = others.extract(item.name);
      if (other.empty() || !is_same(item, *other.mapped())) out.insert(item.name);
    }
    for (const auto& [name, item] : others) out.insert(std::string(name));
    return out;
  }

  [[nodiscard]] bool is_same(const Item& left, const Item& right) const {
    if (left.failure || right.failure)
      return left.failure && right.failure && is_same_failure(*left.failure, *right.failure);
    return is_ordered_ ? identical(left.value, right.value) : equal(left.value, right.value);
  }

  bool is_ordered_;  ///< As Traits::orders_members.
  const FileTree& files_;
  std::vector<std::pair<std::string, std::string>> edited_;  ///< Each with where it is.
  const TakeTried& take_;
  const Asking& asking_;
  std::unordered_set<std::uint64_t> taken_;  ///< As Touched::alike.
};

/// Whether two states may give a question different inputs.
class InputsDiffer {
 public:
  InputsDiffer(const State& before, const State& after) : before_(*before.inputs), after_(*after.inputs) {}
  /// As of what was read so far.
  bool operator()() {
    // Only who has read more can differ more.
    const std::size_t reads = before_.reads_count() + after_.reads_count();
    if (!differ_ && reads != reads_) differ_ = before_.may_differ(after_);
    reads_ = reads;
    return differ_;
  }

 private:
  const Inputs& before_;
  const Inputs& after_;
  std::size_t reads_ = 0;
  bool differ_ = false;
};

}  // namespace

const std::vector<std::string>* KnownReads::of(std::size_t number) const {
  return number < by_number_.size() ? by_number_[number] : nullptr;
}

void KnownReads::note(std::size_t number, std::vector<std::string> files) {
  if (number >= by_number_.size()) by_number_.resize(number + 1, nullptr);
  by_number_[number] = &*sets_.insert(std::move(files)).first;
}

void try_edits(const Question& question, const State& before, const State& after, const std::set<std::string>& edited,
               const TakeTried& take, const Asking& asking) {
  Trial trial(question, after, edited, take, asking);
  const auto is_over = [&asking](std::size_t number) { return asking.is_over && asking.is_over(number); };
  const auto old = question.in(before);
  const auto now = question.in(after);
  InputsDiffer inputs_differ(before, after);
  if (!asking.firsts.empty() && !inputs_differ()) {
    for (const First& one : asking.firsts) {
      if (is_over(one.number) || !trial.compare(*old->subject(one.member), *now->subject(one.member), one.number))
        return;
    }
    return;
  }
  for (std::size_t number = 1; !is_over(number); ++number) {
    const auto left = old->next();
    const auto member = left && !inputs_differ() ? left->member() : nullptr;
    const auto right = member ? now->subject(member) : now->next();
    if (!left || !right || !trial.compare(*left, *right, number)) return;
  }
}

}  // namespace strata::analysis
