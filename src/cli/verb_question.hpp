// SPDX-License-Identifier: Apache-2.0
// A verb with its options as the question of an analysis: `strata COMMAND [own options] VERB [options]`.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "command.hpp"
#include "options.hpp"
#include "project_question.hpp"
#include "strata/error.hpp"
#include "strata/question.hpp"
#include "thread_pool.hpp"

namespace strata::cli {

/// The arguments of a query contain `--help`: the program prints this and ends.
struct HelpRequested : std::exception {
  explicit HelpRequested(std::string text) : help(std::move(text)) {}
  [[nodiscard]] const char* what() const noexcept override { return "a query cannot contain --help"; }

  std::string help;
};

/// What `make` returns. A command line that is wrong is an Error here: `code`.
template <class Make>
auto told_as(const char* code, const Make& make) {
  try {
    return make();
  } catch (const UsageError& wrong) {
    throw Error(code, wrong.what()).hint(wrong.hint());
  } catch (const HelpRequested& request) {
    throw Error(code, request.what());
  }
}

/// Whether a verb's option, with its dashes, does not go with an analysis.
[[nodiscard]] bool is_misplaced(std::string_view option);

/// The names of the commands that the query of an analysis can have.
[[nodiscard]] std::vector<std::string> query_commands(const SharedOptions& own);
/// Leaves the last arguments of an analysis to ParsedVerb: a command that `own.takes`, with its arguments.
void leave_query(Arguments& command, const SharedOptions& own);

/// A verb whose options were read.
class ParsedVerb {
 public:
  /// `words`: the verb and what belongs to it. `own`: the options of the analysis, which hold for the verb, too; with
  /// `--against` those of the verb itself, which can be any command then. Throws UsageError, HelpRequested.
  ParsedVerb(const std::vector<std::string>& words, const SharedOptions& own);

  [[nodiscard]] Verb& operator*() const noexcept { return *verb_; }
  [[nodiscard]] Verb* operator->() const noexcept { return verb_.get(); }

 private:
  /// `name`: of the command.
  void read(const std::vector<std::string>& words, const SharedOptions& own, std::string_view name);

  std::unique_ptr<CommandLine> line_;
  std::unique_ptr<Verb> verb_;
};

/// What all states of a question share.
struct QuestionTools {
  const SharedOptions& own;  ///< Of the analysis.
  std::shared_ptr<Engine> engine;
  std::string folder;                                ///< The working folder.
  std::function<void(const Diagnostic& told)> tell;  ///< Receives the warnings of one state.
  bool is_whole_process = true;                      ///< As SessionSettings::is_whole_process.
  std::shared_ptr<const FileBounds> bounds = {};     ///< As SharedOptions::bounds.
  const char* code = nullptr;  ///< Of errors of words that are read when a subject is asked. Null: they are no Errors.
};

/// The question of a verb. With `--nodes` and the like it is about a fleet, with a FleetChoice about the subjects of
/// that.
class VerbQuestion final : public analysis::Question {
 public:
  /// Throws as ParsedVerb.
  VerbQuestion(QuestionChoice choice, QuestionTools tools);

  [[nodiscard]] std::unique_ptr<analysis::Asked> in(const analysis::State& state, History history,
                                                    Telling telling) const override;
  [[nodiscard]] analysis::Wording wording() const override;
  [[nodiscard]] const query::Traits& traits() const override { return first_->traits(); }
  [[nodiscard]] bool lacks_fleet() const override { return first_->is_for_many() && !wording().is_fleet; }

  /// As Verb::check_usage. The command of a fleet is incomplete: its members are checked when they run.
  void check_usage() const {
    if (!choice_.fleet.is_given()) first_->check_usage();
  }
  /// Its options, for those of the whole run.
  [[nodiscard]] Verb& verb() const noexcept { return *first_; }
  /// The permissions that the command line gives the files: by options of the analysis, and by those of its query that
  /// the user typed.
  [[nodiscard]] Permissions permissions() const {
    return tools_.own.permissions | choice_.typed.value_or(first_->options().permissions);
  }
  /// The permissions that a project asks for and the command line does not give.
  [[nodiscard]] std::vector<Refusal> refused_requests() const;
  /// The project whose files name the nodes, if they are guessed.
  [[nodiscard]] const workspace::Project* assumed() const noexcept { return choice_.assumed.get(); }
  /// Prints the warnings of this state.
  void tell_of(const analysis::State& state) { told_ = state.files.get(); }

 private:
  QuestionChoice choice_;
  QuestionTools tools_;
  ParsedVerb first_;
  const FileTree* told_ = nullptr;
};

}  // namespace strata::cli
