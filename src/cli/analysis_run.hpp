// SPDX-License-Identifier: Apache-2.0
// A run of an analysis: its question, its states, its messages.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "command.hpp"
#include "query_runs.hpp"
#include "states.hpp"
#include "strata/gated_host.hpp"
#include "strata/study.hpp"
#include "terminal.hpp"
#include "verb_question.hpp"

namespace strata::cli {

class AnalysisRun {
 public:
  /// `own`: the options of the analysis, finished. `words`: the verb and what belongs to it, or `@NAME`. `fleet`: of
  /// `--fleet`, or empty. `is_edit`: all states are one with edits over it (StateOptions::is_edit).
  /// `on_refusal`: of files that ask for a program or server that the command line does not allow; what is left out is
  /// one warning at the end. With `--strict` it fails. `runs`: of an analysis that can compare two runs of the query;
  /// null: it cannot.
  AnalysisRun(const SharedOptions& own, const std::vector<std::string>& words, const std::string& fleet,
              bool is_edit = false, OnRefusal on_refusal = OnRefusal::leave_out, const QueryRuns* runs = nullptr);

  AnalysisRun(const AnalysisRun&) = delete;
  AnalysisRun& operator=(const AnalysisRun&) = delete;
  ~AnalysisRun();

  [[nodiscard]] VerbQuestion& question() noexcept { return *question_; }
  [[nodiscard]] analysis::Wording wording() const { return question_->wording(); }
  /// For texts.
  [[nodiscard]] const report::Layout& layout() const { return question_->verb().options().layout; }
  /// Settings of a comparison as the limits say.
  [[nodiscard]] analysis::StudySettings settings() const;
  /// A comparison of the states that the options name, or of two runs of the query. It prints the warnings of the state
  /// after.
  [[nodiscard]] std::unique_ptr<analysis::Study> study(const StateOptions& options, analysis::StudySettings settings);
  /// Whether the nodes are guessed.
  [[nodiscard]] bool is_assumed() const;
  /// Whether the files have asked for something that was left out.
  [[nodiscard]] bool lacks_something() const { return !host_->refusals().empty(); }
  /// The JSON of a report, marked where its nodes are guessed (`assumed`) and where something was left out
  /// (`left_out`).
  [[nodiscard]] Value marked(Arena& arena, const Value& data) const;
  /// The end of a report in Markdown about what was left out. Empty: nothing was.
  [[nodiscard]] std::string left_out_markdown() const;
  /// The state of a revision, or of the working tree for an empty name. Assumed nodes are those of the working tree.
  [[nodiscard]] analysis::State state_of(const std::string& revision);
  /// Tells a warning of the analysis itself. With `--strict` it ends the run.
  void warn(const Diagnostic& warning);
  /// Prints a message that needs no action.
  void remark(const Diagnostic& told);
  /// Warnings of answers show no lines of files. From now on they wait for `tell_held`, or for the end of the run.
  void hold_warnings() { holds_ = true; }
  /// Tells them, without the lines that show secrets. `secret_lines`: from 1, by absolute paths without links.
  void tell_held(const analysis::State& state, const std::map<std::string, std::set<std::size_t>>& secret_lines);
  /// Prints why the analysis has no result, in addition to its output.
  void tell_error(const Diagnostic& error) { terminal_.tell(error, "error"); }
  /// Warns of edits that the query does not read, and notes failures that no edit has changed.
  void tell_rest(analysis::Study& study);

 private:
  void tell(const Diagnostic& told) const;
  [[nodiscard]] QuestionTools tools();
  [[nodiscard]] std::unique_ptr<analysis::Study> study_of_runs(const StateOptions& options,
                                                               analysis::StudySettings settings);

  const SharedOptions& own_;
  std::string folder_;
  std::shared_ptr<Engine> engine_;
  Terminal terminal_;
  std::unique_ptr<VerbQuestion> question_;
  std::unique_ptr<VerbQuestion> after_;                            ///< Of the run after. Null: no runs are compared.
  std::optional<std::pair<std::string, std::string>> nodes_ = {};  ///< As Runs::nodes.
  std::unique_ptr<GatedHost> host_;
  std::unique_ptr<analysis::Inputs> inputs_;
  bool holds_ = false;
  std::vector<Diagnostic> held_;
};

/// The nodes that the files of either state name, in both.
void assume_nodes(const workspace::Project& project, States& states, const std::string& folder, const Limits& limits);

/// The warning of an edit of a file that the query does not read.
[[nodiscard]] Diagnostic unread_edit(const std::string& file);

/// `VERB … --against REV`: what differs between two revisions, or a revision and now.
[[nodiscard]] int compare(Verb& verb, const std::vector<std::string>& words);

}  // namespace strata::cli
