// SPDX-License-Identifier: Apache-2.0
// The limit on the work of a search for statements without effect.
#pragma once

#include <cstddef>
#include <optional>

#include "analysis/ledger.hpp"

namespace strata::analysis {

/// Limits the work of a search for statements without effect (dead.hpp): each evaluation costs the bytes that it reads
/// and the nodes that it makes.
class SearchBudget {
 public:
  SearchBudget(const Ledger& ledger, const Limits& limits);
  /// Takes one evaluation of one target. False: nothing is left. Errors: those of Stop::check.
  [[nodiscard]] bool take();
  /// How many more evaluations it allows.
  [[nodiscard]] std::size_t left() const noexcept { return (most_ - spent_) / cost_; }
  /// Adds the nodes of a result to the cost of each further evaluation; the first result counts.
  void note_result(const Outcome& outcome);
  /// Notes a statement, or a file, that was not looked at.
  void leave_out(Excerpt where);
  /// The remark about all of these. No value: nothing was left out.
  [[nodiscard]] std::optional<Diagnostic> remark() const;

 private:
  const Stop* stop_;
  std::size_t cost_ = 0;  ///< Of one evaluation.
  std::size_t most_;
  std::size_t spent_ = 0;
  bool has_result_ = false;
  std::size_t left_out_ = 0;
  Excerpt first_;  ///< Of those left out.
};

}  // namespace strata::analysis
