// SPDX-License-Identifier: Apache-2.0
// `@NAME` in place of a verb and its words: the question of a project.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "command_bounds.hpp"
#include "options.hpp"
#include "strata/file_bounds.hpp"
#include "strata/host.hpp"
#include "strata/workspace.hpp"

namespace strata::cli {

/// The fleet of an analysis: a file, or a list.
struct FleetChoice {
  std::string file = {};  ///< Empty: none.
  /// The words of a member of `file`, as they are right from the working folder. Null: unchanged.
  std::function<std::vector<std::string>(const std::vector<std::string>& words)> moved = {};
  std::optional<std::vector<workspace::Member>> members = {};

  [[nodiscard]] bool is_given() const { return !file.empty() || members; }
};
/// The members of a fleet. `host`: what the file is read from. Errors: `analysis.fleet`.
[[nodiscard]] std::vector<workspace::Member> members_of(const FleetChoice& fleet, Host& host, const Limits& limits);

/// What an analysis is asked: words of a verb, and their subjects.
struct QuestionChoice {
  std::vector<std::string> words;
  FleetChoice fleet = {};
  /// Permissions of the words that the user typed. No value: all words were.
  std::optional<Permissions> typed = {};
  std::string file = {};  ///< The `.strata.yaml` of the project, as messages name it. Empty: there is none.
  /// The nodes are guessed: the project whose data files name them, for each state. Their list is the input
  /// kAssumedNodes. Null: they are not.
  std::shared_ptr<const workspace::Project> assumed = {};
  /// The files of the host that it may read. Null: all.
  std::shared_ptr<const FileBounds> bounds = {};
};
/// The name of the input for nodes that are guessed.
inline constexpr std::string_view kAssumedNodes = "<assumed nodes>";

/// The query that words after an analysis give: `VERB …` as it is, or `@NAME …`, the query of a project. `fleet`: of
/// `--fleet`. `allowed`: further folders that files may name. `folder`: has the projects. Throws UsageError; errors:
/// `workspace.…`, those of the YAML reader.
[[nodiscard]] QuestionChoice question_choice(const std::vector<std::string>& words, const std::string& fleet,
                                             const Limits& limits, const std::vector<std::string>& allowed = {},
                                             const std::string& folder = ".");
/// The same for a project. `more`: words that follow. `named`: further names of the user.
[[nodiscard]] QuestionChoice question_choice(const workspace::Project& project, const std::vector<std::string>& more,
                                             const Limits& limits, NamedByUser named);
/// The same for a project of `files`, without bounds.
[[nodiscard]] QuestionChoice question_choice(const workspace::Project& project, const std::vector<std::string>& more,
                                             const Limits& limits, const FileTree& files);

/// What is known of the words of a verb. Null: there is no such verb.
[[nodiscard]] const workspace::VerbForm* verb_form(std::string_view verb);

/// The options of a command as projects know them. Those that analyses do not take are left out.
[[nodiscard]] workspace::VerbForm verb_form_of(const Registration::Entry& entry);

/// The projects of a folder of the host. `named`: the files that may be read.
[[nodiscard]] workspace::Found projects_in(const std::string& folder, const Limits& limits, const NamedByUser& named);
/// The same, without further folders.
[[nodiscard]] workspace::Found projects_in(const std::string& folder, const Limits& limits);

}  // namespace strata::cli
