// SPDX-License-Identifier: Apache-2.0
// Statements without which every result is the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/ledger.hpp"

namespace strata::analysis {

/// A statement that was taken out, and what came of it.
struct Removal {
  std::uint32_t statement;
  bool is_dead = true;
  // For the first subject that reads the file. Empty: no value.
  Excerpt without = {};    ///< Where the same value is written that results have without it.
  Excerpt with = {};       ///< What is there with it, and stronger.
  bool has_value = false;  ///< Something is there with it.
  bool is_beaten = false;  ///< There is something stronger.
  bool is_lost = false;    ///< An item that its list lacks.
};

/// Limits the work of the searches below: each evaluation costs the bytes that it reads and the nodes that it makes.
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

/// Those of the statements that a check looks at, in the order of the files; of nested ones only the outermost. Each
/// was taken out, and all subjects that read its file were asked. `wants_items`: of lists, too. Errors: those that end
/// a run. Statements for which `budget` does not suffice are left out.
[[nodiscard]] std::vector<Removal> dead_statements(const Question& question, const State& state, const Ledger& ledger,
                                                   const std::string& folder, const Limits& limits, bool wants_items,
                                                   SearchBudget& budget);

/// The numbers of files that state something, and with the text `nothing` instead give the same results. For a single
/// file that states something: none.
[[nodiscard]] std::vector<std::uint32_t> dead_files(const Question& question, const State& state, const Ledger& ledger,
                                                    const std::string& folder, const Limits& limits,
                                                    const std::string& nothing, SearchBudget& budget);

/// Whether any result changes if a file has another text. No value: `budget` does not suffice.
[[nodiscard]] std::optional<bool> changes_with(const Question& question, const State& state, const Ledger& ledger,
                                               const std::string& folder, const Limits& limits, std::uint32_t file,
                                               const std::string& text, SearchBudget& budget);

}  // namespace strata::analysis
