#include "analysis/trial.hpp"

#include <algorithm>
#include <unordered_set>

#include "strata/links.hpp"
#include "value/seeded_hash.hpp"

namespace strata::analysis {
namespace {

class Trial {
 public:
  Trial(const Question& question, const State& after, const std::set<std::string>& edited, const TakeTried& take, const IsNeeded& is_needed)
      : is_ordered_(question.results() == Results::keys), files_(*after.files), take_(take), is_needed_(is_needed) {
    for (const std::string& path : edited) edited_.emplace_back(path, detail::real_path(*after.files, path));
  }

  bool compare(Subject& left, Subject& right, std::size_t number) {
    const auto reads = left.reads();
    std::vector<std::string> read;
    if (reads) {
      read = read_of(*reads);
      if (read.empty()) return true;
    }
    const Touched touched = reads ? left.touched(right) : Touched();
    const Wanted& wanted = touched.items;
    if (wanted && wanted->empty()) return true;
    if (touched.alike && !taken_.insert(*touched.alike).second && !(is_needed_ && is_needed_(number))) return true;
    const Subject::Answer old = left.ask(wanted);
    if (!reads) {
      // Of a subject that fails, it is known in part.
      read = old.outcome.failure ? read_of(*old.reads) : read_by(left, *old.reads);
      if (read.empty() && !old.outcome.failure) return true;
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
  /// Of a subject that tells only afterwards what it reads: `reads` may also be what those before it have read.
  [[nodiscard]] std::vector<std::string> read_by(Subject& subject, const Reads& reads) const {
    std::vector<std::string> out = read_of(reads);
    try {
      std::set<std::string> own;
      for (const ConfigurationFile& file : subject.files()->read()) own.insert(detail::real_path(files_, file.path));
      std::erase_if(out, [&](const std::string& path) { return !own.contains(detail::real_path(files_, path)); });
    } catch (const Error& error) {
      if (!is_failure(error)) throw;
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
    if (left.failure || right.failure) return left.failure && right.failure && is_same_failure(*left.failure, *right.failure);
    return is_ordered_ ? identical(left.value, right.value) : equal(left.value, right.value);
  }

  bool is_ordered_;  ///< Whoever reads the values walks mappings in their order.
  const FileTree& files_;
  std::vector<std::pair<std::string, std::string>> edited_;  ///< Each with where it is.
  const TakeTried& take_;
  const IsNeeded& is_needed_;
  std::unordered_set<std::uint64_t> taken_;  ///< As Touched::alike.
};

}  // namespace

void try_edits(const Question& question, const State& before, const State& after, const std::set<std::string>& edited, const TakeTried& take,
               const IsNeeded& is_needed, std::span<const First> firsts) {
  Trial trial(question, after, edited, take, is_needed);
  const auto old = question.in(before);
  const auto now = question.in(after);
  if (!firsts.empty() && !before.inputs->may_differ(*after.inputs)) {
    for (const First& one : firsts) {
      if (!trial.compare(*old->subject(one.member), *now->subject(one.member), one.number)) return;
    }
    return;
  }
  for (std::size_t number = 1;; ++number) {
    const auto left = old->next();
    const auto member = left && !before.inputs->may_differ(*after.inputs) ? left->member() : nullptr;
    const auto right = member ? now->subject(member) : now->next();
    if (!left || !right || !trial.compare(*left, *right, number)) return;
  }
}

}  // namespace strata::analysis
