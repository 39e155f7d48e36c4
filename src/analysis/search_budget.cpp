// SPDX-License-Identifier: Apache-2.0
// A search for statements without effect evaluates a query again and again. The limit does not count time, because
// findings must not depend on the machine. So each evaluation costs what it certainly does: it reads the bytes of one
// target's files, and makes the nodes of a result. The constants translate that into processor time; they were measured
// with lists of 20,000 members and with sites of 1 MB.
//
// Tested by tests/cli/long_lists_test.py.
#include "analysis/search_budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "strata/stop.hpp"

namespace strata::analysis {
namespace {

/// The nodes of a value, as if aliases were written out, up to a bound. Recursion: bounded by Limits::depth.
std::size_t nodes_in(const Value& value, std::size_t most = std::size_t{1} << 24U) {
  std::size_t out = 1;
  const auto add = [&](const Value& member) {
    if (out < most) out += nodes_in(member, most - out);
  };
  if (value.is_sequence()) {
    for (const Value& item : value.items()) add(item);
  } else if (value.kind() == Kind::mapping) {
    for (const Entry& entry : value.entries()) add(entry.value);
  }
  return out;
}

}  // namespace

SearchBudget::SearchBudget(const Ledger& ledger, const Limits& limits) : stop_(limits.stop) {
  // About 7 s of processor time for an input of 1 MB, of the 10 s that inputs up to there may take; more for larger
  // ones, whose sites are real. In proportion for a limit on processor time other than the usual one.
  constexpr std::size_t kMost = std::size_t{24} << 20U;
  constexpr std::size_t kMostPerByte = 160;
  constexpr std::size_t kSmall = std::size_t{1} << 20U;
  constexpr std::size_t kMostPerFurtherByte = 1024;
  constexpr std::size_t kUsualSeconds = 8;
  constexpr std::size_t kCostOfCall = 4096;
  const auto& files = ledger.stated().files();
  std::size_t all = 0;
  for (const auto& file : files) all += file->reading ? file->reading->text().size() : 0;
  for (const ReadingClass& one : ledger.classes()) {
    std::size_t bytes = 0;
    for (const std::uint32_t file : one.files) bytes += files[file]->reading ? files[file]->reading->text().size() : 0;
    cost_ = std::max(cost_, bytes);
  }
  cost_ += kCostOfCall;
  const double share = static_cast<double>(limits.processor_seconds) / kUsualSeconds;
  const std::size_t further = all - std::min(all, kSmall);
  const double most = static_cast<double>(kMost + kMostPerByte * all + kMostPerFurtherByte * further) * share;
  most_ = most < 1e18 ? static_cast<std::size_t>(most) : SIZE_MAX;
}

bool SearchBudget::take() {
  check_stop(stop_);
  if (most_ - spent_ < cost_) return false;
  spent_ += cost_;
  return true;
}

void SearchBudget::note_result(const Outcome& outcome) {
  constexpr std::size_t kCostOfNode = 8;
  if (std::exchange(has_result_, true)) return;
  for (const Item& item : outcome.items) cost_ += kCostOfNode * nodes_in(item.value);
}

void SearchBudget::leave_out(Excerpt where) {
  if (left_out_++ != 0) return;
  first_ = std::move(where);
  first_.line.clear();  // It may hold a secret.
}

std::optional<Diagnostic> SearchBudget::remark() const {
  if (left_out_ == 0) return std::nullopt;
  Diagnostic out =
      Error("limit.check",
            fmt::format(
                "the search for statements without effect would take too long: from this one on, {} {} not checked",
                left_out_, left_out_ == 1 ? "is" : "are"))
          .hint("raise the limit with --limit processor-seconds=NUMBER")
          .diagnostic();
  out.where = first_;
  return out;
}

}  // namespace strata::analysis
