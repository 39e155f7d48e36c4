// SPDX-License-Identifier: Apache-2.0
// Where to write a value: edits of files that give it to some subjects and change as little else as can be. Rules:
// docs/analysis/set.md.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "strata/analysis.hpp"
#include "strata/error.hpp"
#include "strata/question.hpp"
#include "strata/text.hpp"

namespace strata::analysis {

/// A place of results, and what it is to be.
struct Wish {
  std::string item;           ///< Of questions whose results are one item without a name: the first step of the path.
  std::string path = {};      ///< A JSON Pointer below it.
  Value value = {};           ///< Absent: nothing is to be there.
  std::string spelling = {};  ///< How the user wrote the value.
};

struct ProposalSettings {
  /// Names with `*` and `?`, or `FACT=GLOB[,FACT=GLOB…]`, of which all must hold. A subject is selected by any of them;
  /// by none of none: all are.
  std::vector<std::string> selectors = {};
  std::string folder = "/";  ///< The working folder: names of files below it are relative to it.
  Comparison how = {};
  Limits limits = {};
  std::size_t most = 3;  ///< So many proposals are kept, the best ones.
};

/// One edit of a file.
struct ProposedEdit {
  std::string path;              ///< Absolute.
  std::string file;              ///< As it is shown.
  bool has_secret_name = false;  ///< It is a new file whose name is made of secrets: `file` is `******`.
  bool is_set = true;
  std::size_t line = 1;               ///< Of the member: of the new text, or for `unset` of the old one.
  std::optional<std::string> before;  ///< No value: the file is not there.
  std::string after;
};

/// Edits after which all selected subjects have the value.
struct Proposal {
  std::vector<ProposedEdit> edits;      ///< By file.
  std::vector<std::string> collateral;  ///< Subjects that are not selected and change.
  std::vector<std::string> side;        ///< Selected subjects that change elsewhere, too.
  std::string diff;
};

/// An edit of one file that is not enough.
struct Rejected {
  std::string file;
  std::size_t missed;  ///< Selected subjects that do not have the value after it.
  std::string why;
};

/// The most edits of a proposal.
inline constexpr std::size_t kProposalEdits = 8;
/// More edits than that, which are enough.
struct MoreEdits {
  /// As it is shown: the file of a level that the whole selection reads, in which the value is set while the stronger
  /// values are removed. Empty: unknown; or the values are removed from all files, because the place is to be empty.
  std::string file = {};
  std::size_t edits = 0;  ///< Their number. 0: unknown.
};

struct ProposalReport {
  Wish wish;
  std::string pointer;  ///< In files.
  std::vector<std::string> selected;
  std::size_t total = 0;    ///< Subjects.
  std::size_t already = 0;  ///< Selected ones that have the value.
  bool is_secret = false;   ///< What the place holds now or after an edit is marked as secret for some of them: the
                            ///< value is not shown.
  std::vector<Proposal> proposals;
  std::vector<Rejected> rejected;
  std::optional<MoreEdits> more_edits;  ///< The limit of edits prevents a proposal.

  [[nodiscard]] bool has_nothing_to_do() const noexcept { return already == selected.size(); }
};

/// Looks for edits: of one file, and greedy completions of those that are not enough. Only what can differ is asked,
/// and each subject once for the edits of files that it reads. The warnings of `base` are those of one pass over its
/// subjects. Errors: those that end a run; `pointer.syntax`; `set.selector` for an empty selection; `set.place` if
/// results have no place of such a name.
[[nodiscard]] ProposalReport propose(const Question& question, const State& base, const Wish& wish,
                                     const ProposalSettings& settings);
/// The error of a question whose results have no such files: `set.verb`.
[[nodiscard]] Error no_files_to_set();
/// Asks every subject again, with the texts of a proposal. Error `edit.changed` if the results are no longer those that
/// the proposal promises.
void prove(const Question& question, const State& base, const ProposalReport& report, const Proposal& proposal,
           const ProposalSettings& settings);

/// For people: how many are selected, the proposals, and the diff of the first one.
[[nodiscard]] std::string proposals_text(const ProposalReport& report, const Wording& wording);
/// `strata-set/1`: `{format, item, path, value, selected, already, proposals: [{rank, edits, collateral, side, diff}],
/// rejected, more_edits}`.
[[nodiscard]] Value proposals_data(Arena& arena, const ProposalReport& report);

}  // namespace strata::analysis
