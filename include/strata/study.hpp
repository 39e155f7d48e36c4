// SPDX-License-Identifier: Apache-2.0
// Two states of the files, and what a question makes of them. Rules: docs/analysis/differences.md.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "strata/analysis.hpp"
#include "strata/error.hpp"
#include "strata/executor.hpp"
#include "strata/limits.hpp"
#include "strata/question.hpp"

namespace strata::analysis {

/// Files that were edited to make the second state.
struct EditedFiles {
  std::set<std::string> paths = {};  ///< Absolute.
  bool no_others = false;            ///< No other files can differ.
};

/// Told how many subjects were compared so far, by the thread that asked for them.
using CountCompared = std::function<void(std::size_t compared)>;

/// Two runs of a query in place of two states of the files: nothing is known of what they share, so that all nodes of
/// both are evaluated. Changes have no causes.
struct Runs {
  const Question* after;  ///< The query of the run after. It must outlive the Study.
  /// Two nodes, which are compared with each other. No value: each node is compared with itself.
  std::optional<std::pair<std::string, std::string>> nodes = {};
};

/// How two states are compared.
struct StudySettings {
  Comparison how = {};
  std::vector<std::string> only = {};  ///< Names of items with `*` and `?`: others are left out. Empty: all.
  bool finds_causes = true;            ///< Because of which edits something changes.
  std::size_t most_causes =
      32;  ///< With more edits, those of a file count as one; with more files, causes are left out.
  std::size_t most_caused = 1000;  ///< Effects beyond these have no causes.
  std::size_t most_effects = Effects::kMost;
  std::size_t most_changes = SIZE_MAX;  ///< More changes of subjects, or of effects, are an error (`limit.result`).
  std::string folder = "/";             ///< The working folder: names of files below it are relative to it.
  EditedFiles edited = {};
  bool keeps_reads = false;                 ///< For Study::reads.
  std::shared_ptr<Executor> executor = {};  ///< Threads. Null: none but the caller's.
  std::size_t depth =
      Limits().depth;        ///< Limits::depth of the question: threads whose stack does not hold so much are not used.
  CountCompared count = {};  ///< Of Study::impact. May be empty.
  std::optional<Runs> runs = {};  ///< No value: both states have the same query.
};

class Roster;

/// Two states, in which one question is asked. Subjects that read the same in both are not asked.
class Study {
 public:
  /// `question` must outlive the object.
  Study(const Question& question, const State& before, const State& after, StudySettings settings);
  /// `subjects`: those of `before`, complete, and those of `after`; they must outlive the object. With
  /// EditedFiles::no_others.
  Study(const Question& question, const State& before, const Roster& subjects, const State& after,
        StudySettings settings);
  ~Study();
  Study(const Study&) = delete;
  Study& operator=(const Study&) = delete;

  /// Each once. Errors: those that end a run; what is wrong with a subject is a change. `analysis.node` if a node of
  /// Runs::nodes does not exist.
  [[nodiscard]] DiffReport diff();
  [[nodiscard]] ImpactReport impact(GroupBy by);

  /// Afterwards: edited files that no evaluation has read, or whose text is the same. Relative names.
  [[nodiscard]] std::vector<std::string> unread();
  /// Afterwards, with StudySettings::keeps_reads: what the subjects of the first state read.
  [[nodiscard]] Reads reads() const;
  /// Afterwards: failures that evaluated targets have in both states, at most ten. Others may have some, too: a target
  /// that no edit concerns is not evaluated.
  [[nodiscard]] std::vector<Diagnostic> lasting_failures() const;
  /// How many subjects were asked, in both states together.
  [[nodiscard]] std::size_t asked() const noexcept;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

/// The changes of items whose names match one of the patterns; of results without items, of the first step of the path.
/// What concerns a whole result stays. No patterns: all.
[[nodiscard]] std::vector<Change> wanted(std::vector<Change> changes, const std::vector<std::string>& patterns);
/// Whether a name matches a pattern, in which `*` is any text and `?` any one character.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view name);

}  // namespace strata::analysis
