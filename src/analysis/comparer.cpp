#include "comparer.hpp"

#include <algorithm>

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
  Wanted wanted;
  const bool is_known = old_reads && new_reads && !book_.inputs_differ();
  if (is_known) {
    add_reads(*old_reads);
    const Differing& differing = differing_in(old_reads, new_reads);
    if (differing.is_same) return out;
    if (!differing.files.empty()) wanted = left.affected(right, differing.files);
    if (wanted && wanted->empty()) {
      out.read = book_.read(*old_reads, *new_reads);
      return out;
    }
  }
  out.before = left.ask(wanted);
  ++asked_;
  add_reads(*out.before.reads);
  // Asked again, it would read the same and say the same.
  if (!is_known && !book_.inputs_differ() && book_.is_same_for(*out.before.reads)) return out;
  out.after = right.ask(wanted);
  ++asked_;
  out.read = book_.read(*out.before.reads, *out.after.reads);
  out.changes = analysis::wanted(compare(out.before.outcome, out.after.outcome, settings_.how), settings_.only);
  return out;
}

const Comparer::Differing& Comparer::differing_in(const std::shared_ptr<const Reads>& left, const std::shared_ptr<const Reads>& right) {
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

void Comparer::add_reads(const Reads& reads) {
  if (!settings_.keeps_reads) return;
  reads_.files.insert(reads.files.begin(), reads.files.end());
  reads_.folders.insert(reads.folders.begin(), reads.folders.end());
}

}  // namespace strata::analysis
