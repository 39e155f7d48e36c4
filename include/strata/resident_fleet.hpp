// SPDX-License-Identifier: Apache-2.0
// A question about a fleet that stays, for edits that nobody has saved. Rules: docs/analysis/differences.md.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "strata/analysis.hpp"
#include "strata/question.hpp"
#include "strata/study.hpp"

namespace strata::analysis {

/// What an edit does to the subjects of a question, again and again over the same state: what Study::impact says,
/// without starting anew. Subjects that read no edited file are not asked, and files that are not edited stay parsed.
/// The state of an edit goes with its answer.
///
/// Configurations of which only asking tells what a subject reads (globs, functions of users), and edits of the inputs
/// of the host (facts, lists of nodes), cost a Study each.
///
/// Thread safety: one call at a time, from any thread.
class Fleet {
 public:
  /// Takes all subjects. `state` must be `kept` for files to stay parsed. `question` must outlive the object.
  /// StudySettings::edited is ignored. Errors: those that end a run.
  Fleet(const Question& question, const State& state, StudySettings settings);
  ~Fleet();
  Fleet(const Fleet&) = delete;
  Fleet& operator=(const Fleet&) = delete;

  /// The new texts of files of the configuration and of inputs, or no value to delete a file. Relative paths count from
  /// StudySettings::folder. Every call begins at the state of the constructor. `stop` ends the work; null: that of the
  /// settings does. Errors: as Study::impact; afterwards the object is as before.
  [[nodiscard]] ImpactReport apply(const Edits& edits, GroupBy by = GroupBy::effect, const Stop* stop = nullptr,
                                   const CountCompared& count = {});

  /// About what its subjects take in memory, with their facts; without the parsed files of the state.
  [[nodiscard]] std::size_t bytes() const;

  /// Of the last answer: as Study::unread and Study::asked.
  [[nodiscard]] const std::vector<std::string>& unread() const noexcept { return unread_; }
  [[nodiscard]] std::size_t asked() const noexcept { return asked_; }

 private:
  const Question& question_;
  State state_;
  StudySettings settings_;
  std::unique_ptr<const Roster> roster_;
  std::vector<std::string> unread_;
  std::size_t asked_ = 0;
};

}  // namespace strata::analysis
