// SPDX-License-Identifier: Apache-2.0
// The options that name two states of the files: revisions, and unsaved edits.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "command.hpp"
#include "strata/question.hpp"
#include "strata/study.hpp"

namespace strata::cli {

/// Two states, and what was edited to make the second.
struct States {
  analysis::State before;
  analysis::State after;
  analysis::EditedFiles edited;
};

/// The state of a revision as a verb sees it, or of the working tree for an empty name, not yet kept. `inputs`: those
/// of the host. `place`: something in the repository; empty: the verb says where its files are.
[[nodiscard]] analysis::State state_of(const std::string& revision, Verb& verb, const analysis::Inputs& inputs,
                                       const std::string& place = {});

class StateOptions {
 public:
  void add_to(Arguments& command);
  /// Before the options are read: as `--from` and `--to` say.
  void set(std::string from, std::string to);
  /// Whether any of them was given.
  [[nodiscard]] bool is_given() const { return !from_.empty() || !to_.empty() || !edits_.empty(); }
  /// Whether the two states are one with edits over the other, so that they share files without identities.
  [[nodiscard]] bool is_edit() const { return from_.empty() && !edits_.empty(); }

  /// The states as a verb sees them. Relative names count from `folder`. `host` must outlive the states. Errors:
  /// `analysis.state`, `edit.…`, `git.…`, and those of reading. UsageError.
  [[nodiscard]] States states(Verb& verb, Host& host, const std::string& folder,
                              const std::shared_ptr<Engine>& engine) const;
  /// The working tree as two runs of a query see it. Otherwise as `states`.
  [[nodiscard]] static States of_runs(Verb& before, Verb& after, Host& host, const std::string& folder);

 private:
  std::string from_;
  std::string to_;
  Arguments::Given edits_;
};

}  // namespace strata::cli
