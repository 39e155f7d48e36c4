// SPDX-License-Identifier: Apache-2.0
// The commits that change a result. Rules: docs/analysis/log.md.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "strata/analysis.hpp"
#include "strata/git_history.hpp"
#include "strata/question.hpp"
#include "strata/study.hpp"

namespace strata::analysis {

/// A commit that changes the result, and how.
struct LoggedCommit {
  Commit commit;  ///< `id` is `working tree` for what is not committed yet: then all else is empty.
  DiffReport report;
};

struct LogSettings {
  StudySettings study = {};
  std::string path = {};     ///< Only changes at, below or above this place: an item and a JSON Pointer in it, as texts
                             ///< show them. Empty: all.
  bool all_parents = false;  ///< A merge must differ from each of its parents, not only from the first.
  std::size_t most = 0;      ///< Ends after so many commits. 0: never.
};

struct LogReport {
  std::vector<LoggedCommit> commits = {};
  std::size_t examined = 0;  ///< Commits.
  std::size_t evaluated =
      0;  ///< States that were asked because a commit touches a file that the question reads: two a commit.
};

/// Goes through commits, newest first. `state_of` makes the state of a commit, and for an empty name that of the
/// working tree, whose differences from the first commit come first if `has_working_tree`. A commit that touches
/// nothing of what the result reads is not asked: its result is its parent's. A commit without parents appears. Errors:
/// as Study, and those of `history` and `state_of`.
[[nodiscard]] LogReport commit_log(const Question& question, GitHistory& history, bool has_working_tree,
                                   const std::function<State(const std::string& revision)>& state_of,
                                   const LogSettings& settings);

/// For people.
[[nodiscard]] std::string log_text(const LogReport& report, const Wording& wording, const report::Layout& layout = {});
/// `strata-log/1`: `{format, commits: [{commit, date, author, subject, edits, changes}], examined, evaluated}`.
[[nodiscard]] Value log_data(Arena& arena, const LogReport& report);

}  // namespace strata::analysis
