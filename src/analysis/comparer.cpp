#include "comparer.hpp"

#include <algorithm>

#include "effects.hpp"

namespace strata::analysis {

Compared Comparer::alone(Subject& subject, ChangeKind kind) {
  Compared out{.name = subject.name(), .is_in_before = kind != ChangeKind::appeared};
  std::shared_ptr<const Reads> reads = subject.reads();
  if (!reads) {
    // Which files bring it or take it away is known to those who ask.
    reads = subject.ask(std::nullopt).reads;
    ++asked_;
  }
  out.read = book_.read(*reads, {});
  out.changes.push_back({.item = {}, .path = {}, .kind = kind});
  return out;
}

bool Comparer::is_same(const std::shared_ptr<const Reads>& reads) {
  if (!reads || book_.inputs_differ() || !differing_in(reads, reads).is_same) return false;
  add_reads(*reads);
  return true;
}

Compared Comparer::pair(Subject& left, Subject& right, const std::shared_ptr<const Reads>& old_reads, std::shared_ptr<const Member> member) {
  Compared out{.name = left.name(), .member = std::move(member)};
  const auto new_reads = right.reads();
  Touched touched;
  const bool is_known = old_reads && new_reads && !book_.inputs_differ();
  bool may_be_shared = false;
  if (is_known) {
    add_reads(*old_reads);
    const Differing& differing = differing_in(old_reads, new_reads);
    if (differing.is_same) return out;
    out.read = differing.read;
    if (!differing.files.empty()) touched = left.touched(right);
    if (touched.items && touched.items->empty()) return out;
    may_be_shared = touched.alike && may_share(differing);
    if (may_be_shared && take_known(*touched.alike, out)) {
      out.after.warnings = right.warnings();
      return out;
    }
  }
  out.before = left.ask(touched.items);
  ++asked_;
  add_reads(*out.before.reads);
  // Asked again, it would read the same and say the same.
  if (!is_known && !book_.inputs_differ() && book_.is_same_for(*out.before.reads)) return out;
  out.after = right.ask(touched.items);
  ++asked_;
  out.read = book_.read(*out.before.reads, *out.after.reads);
  out.changes = analysis::wanted(compare(out.before.outcome, out.after.outcome, settings_.how), settings_.only);
  if (may_be_shared) keep(*touched.alike, out.changes);
  return out;
}

std::optional<Compared> Comparer::known(Asked& before, const Basis& basis, const std::shared_ptr<const Reads>& reads,
                                        const std::shared_ptr<const Member>& member) {
  if (book_.inputs_differ()) return std::nullopt;
  const Differing& differing = differing_in(reads, reads);
  if (!differing.are_kinds_same || differing.files.empty()) return std::nullopt;
  const auto touched = before.touched(basis, differing.files);
  if (!touched) return std::nullopt;
  Compared out{.name = member->name(), .read = differing.read, .member = member};
  const bool is_untouched = touched->items && touched->items->empty();
  if (!is_untouched && !(touched->alike && may_share(differing) && take_known(*touched->alike, out))) return std::nullopt;
  add_reads(*reads);
  return out;
}

bool Comparer::take_known(std::uint64_t alike, Compared& out) const {
  const auto known = changes_.find(alike);
  if (known == changes_.end()) return false;
  out.changes = known->second;
  out.memory = values_;
  return true;
}

void Comparer::keep(std::uint64_t alike, const std::vector<Change>& changes) {
  constexpr std::size_t kMostClasses = 4096;
  constexpr std::size_t kMostChanges = std::size_t{1} << 14U;
  constexpr std::size_t kMostBytes = std::size_t{16} << 20U;
  if (changes.size() > kMostChanges) return;
  changes_kept_ += changes.size();
  if (changes_.size() >= kMostClasses || changes_kept_ > kMostChanges || values_->bytes() > kMostBytes) {
    changes_.clear();
    changes_kept_ = changes.size();
    values_ = std::make_shared<Arena>();
  }
  std::vector<Change> kept = changes;
  for (Change& change : kept) keep_values(change, *values_);
  changes_.emplace(alike, std::move(kept));
}

const Comparer::Differing& Comparer::differing_in(const std::shared_ptr<const Reads>& left, const std::shared_ptr<const Reads>& right) {
  constexpr std::size_t kMostClasses = 512;
  if (differing_.size() >= kMostClasses) differing_.clear();
  const auto [known, is_new] = differing_.try_emplace({left, right});
  Differing& out = known->second;
  if (!is_new) return out;
  const bool is_one = left == right;
  out.files = book_.changed(*left);
  if (!is_one) std::ranges::move(book_.changed(*right), std::back_inserter(out.files));
  out.are_kinds_same = book_.has_same_kinds(*left) && (is_one || book_.has_same_kinds(*right));
  out.is_same = out.files.empty() && out.are_kinds_same;
  if (out.is_same) return out;
  std::ranges::sort(out.files);
  out.files.erase(std::unique(out.files.begin(), out.files.end()), out.files.end());
  out.read = book_.read(*left, *right);
  return out;
}

void Comparer::add_reads(const Reads& reads) {
  if (!settings_.keeps_reads) return;
  reads_.files.insert(reads.files.begin(), reads.files.end());
  reads_.folders.insert(reads.folders.begin(), reads.folders.end());
}

}  // namespace strata::analysis
