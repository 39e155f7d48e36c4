// SPDX-License-Identifier: Apache-2.0
// A command of the program: its options, and a run over one tree of files.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "options.hpp"
#include "strata/analysis.hpp"
#include "strata/error.hpp"
#include "strata/file_tree.hpp"
#include "strata/host.hpp"
#include "strata/leaf_observer.hpp"
#include "strata/merge.hpp"
#include "strata/question.hpp"
#include "strata/session.hpp"
#include "strata/text.hpp"

namespace strata::hiera {
struct Facts;
}  // namespace strata::hiera

namespace strata::cli {

/// Receives output that is written while it is made.
struct Stream {
  std::function<void(std::string_view)> print;
  std::function<void(const Diagnostic&, std::string_view severity)> tell;
  std::function<void(std::string)> progress;  ///< Shows the progress of the work on a terminal.
};

/// The result of one run.
struct Outcome {
  merge::Traced result;
  std::string yaml_head;                  ///< Printed before plain YAML output: `#cloud-config`.
  std::optional<std::string> printed;     ///< The whole output, if a command formats it itself (lists of parts).
  std::shared_ptr<const void> keepalive;  ///< Owns the result.
  /// The result is a sequence of documents: YAML output is a stream, with `---` before each document.
  bool is_documents = false;
  std::vector<std::string> document_names = {};  ///< Unique names, one per document.
  /// Instead of a result: makes the output and prints it. False if the run failed.
  std::function<bool(const Stream&)> stream = {};
  /// Missing parts of the result, with their reasons: reported as errors next to the result; the exit status is 1.
  std::vector<analysis::Item> failures = {};
  /// For source maps: tells of the leaves of the result in `printed`. Empty if what is printed is not the result.
  std::function<void(std::string_view printed, text::LeafObserver&)> leaves = {};
  /// Writes further results of the run. Called when nothing prevents the result, before it is shown. May throw Error.
  std::function<void()> commit = {};
  /// Writes the result as the command does without options, if that is neither YAML nor JSON of strata's own. It
  /// outlives the command.
  std::function<std::string(const Value&)> own = {};
  /// As analysis::Outcome::misfits. The command and the Session of the run must outlive it.
  std::function<analysis::Misfits(analysis::MisfitContext&)> misfits = {};
};

/// The exit status of an analysis that ends with an error: 1 is that of a report with findings.
inline constexpr int kNoAnswer = 3;

/// One subject of a fleet, as a command knows it.
struct FleetSubject {
  std::string name;
  std::optional<Diagnostic> failure = {};  ///< Why nothing can be asked.
  /// Sets items or failure of an outcome, and the owner of the values besides the Session. An Error is the failure of
  /// the subject, unless it ends the run.
  std::function<void(const analysis::Wanted& wanted, analysis::Outcome& out)> ask = {};
  /// As Verb::look_up. Empty: the command has no keys.
  std::function<Outcome(const analysis::KeyQuery& query)> look_up = {};
  // As analysis::Subject. Empty: not known.
  std::function<std::shared_ptr<const analysis::Reads>()> reads = {};
  std::function<analysis::Touched(const FleetSubject& other)> touched = {};
  std::function<std::shared_ptr<const analysis::Basis>()> basis = {};
  std::function<std::optional<std::uint64_t>()> alike = {};
  std::shared_ptr<analysis::SubjectFiles> files = {};
  std::function<std::optional<std::string>(std::string_view name)> fact = {};
  std::shared_ptr<void> node = {};  ///< What the command keeps for it.
  /// Of a node of a list. They need the memory of the Session with which it was taken.
  std::shared_ptr<const hiera::Facts> facts = {};
  std::function<Excerpt()> where = {};  ///< As hiera::FleetNode::where; lives as long as FleetSubjects::take.
};
/// The subjects of a fleet, each with a Session of its own, which lives as long as it does.
struct FleetSubjects {
  /// Takes the next one. No value at the end. An Error ends the run.
  std::function<std::optional<FleetSubject>(Session& own)> take;
  /// Makes one again that this or another run of the same words took: its name with its failure or its facts are given.
  /// Empty: the files of configuration say which subjects there are.
  std::function<FleetSubject(FleetSubject given, Session& own)> again = {};
  /// As analysis::Asked::touched. Empty: not known.
  std::function<std::optional<analysis::Touched>(const analysis::Basis& basis, const std::vector<std::string>& files)>
      touched = {};
};

/// A possible argument of the command line.
struct Suggestion {
  std::string word;
  std::string about = {};
};
using AddSuggestion = std::function<void(Suggestion suggestion)>;

/// A command of the program.
class Command {
 public:
  virtual ~Command() = default;
  virtual void add_to(Arguments& program) = 0;
  /// Whether this command was chosen.
  [[nodiscard]] virtual bool is_chosen() const = 0;
  [[nodiscard]] virtual SharedOptions& options() = 0;
  /// The exit status for a wrong command line.
  [[nodiscard]] virtual int usage_status() { return 2; }
  /// The exit status of a run that ends with an error.
  [[nodiscard]] virtual int error_status() = 0;
  /// Does the work. `words`: the command line without the program's name. Returns the exit status.
  [[nodiscard]] virtual int execute(const std::vector<std::string>& words) = 0;
  /// For completions of shells: words that its files have for a place whose value name in the help is `kind`: `KEY`,
  /// `NODE`. The command line was parsed; `execute` is not called. Reads files, and nothing else: no standard input, no
  /// network, no programs. An Error ends the search.
  virtual void suggest(std::string_view /*kind*/, Host& /*host*/, Session& /*session*/, const AddSuggestion& /*add*/) {}
};

/// A command that asks one question of one tree. A run may happen several times, on several trees.
class Verb : public Command {
 public:
  [[nodiscard]] int error_status() final;
  [[nodiscard]] int execute(const std::vector<std::string>& words) final;

  /// The permissions of its files when the command runs on its own. An analysis, `--against` and a project
  /// (VerbQuestion::permissions) give only those of the command line.
  [[nodiscard]] virtual Permissions permissions() { return options().permissions; }
  /// Whether `--explain` means a history, not a feature of the command.
  [[nodiscard]] virtual bool explains_by_history() { return options().explain.has_value() || options().lists; }
  /// A file or folder that a run reads, as named by the user: the repository of revisions is searched around it. Empty:
  /// around the working directory.
  [[nodiscard]] virtual std::string place_of_files() const { return {}; }
  /// Checks what the parser cannot: missing arguments, options that conflict. Reads nothing. Throws UsageError.
  virtual void check_usage() {}
  /// Reads the inputs from the host, which must outlive the runs. Once, after check_usage. Throws UsageError, Error.
  virtual void prepare(Host& host) = 0;
  /// Reads configuration of the user and of the machine, after `prepare`. Not called for analyses and projects, whose
  /// results depend on their own files only.
  virtual void find_configuration(Host& /*host*/) {}
  virtual Outcome run(Session& session) = 0;
  /// Looks up keys instead of those of the command line. `session` is part of the one that the run began with.
  virtual Outcome look_up(Session& session, const analysis::KeyQuery& query);

  // For analyses.

  /// As `run`, if only some of the items of the result are wanted: others may be missing from it.
  virtual Outcome run_for(Session& session, const analysis::Wanted& /*wanted*/) { return run(session); }
  /// What has one result: node, site, stack, machine.
  [[nodiscard]] virtual std::string_view subject() const { return "node"; }
  /// Whether there are several.
  [[nodiscard]] virtual bool is_fleet() const { return false; }
  /// Whether the files are written for many subjects, of which one result shows little.
  [[nodiscard]] virtual bool is_for_many() const { return false; }
  /// The parts of a result by their names, with those that are missing.
  [[nodiscard]] virtual std::vector<analysis::Item> items(const Outcome& outcome) const {
    return {{.name = {}, .value = outcome.result.value, .failure = {}, .slot = outcome.result.slot}};
  }
  /// Properties of the dialect. The files are read as it says, for edits of them.
  [[nodiscard]] virtual const query::Traits& traits() const { return query::plain_traits(); }
  /// The files behind the one result. `log`: what a run has asked for. All must outlive the object. Here:
  /// `named_files`, and all that was read.
  [[nodiscard]] virtual std::shared_ptr<analysis::SubjectFiles> files(Session& session, const analysis::ReadLog& log);
  /// As Subject::fact, of the one result.
  [[nodiscard]] virtual std::optional<std::string> fact(Session& /*session*/, std::string_view /*name*/) {
    return std::nullopt;
  }
  /// What the last run made use of in the files.
  [[nodiscard]] virtual std::vector<analysis::Use> uses(Session& /*session*/) { return {}; }
  /// As SubjectFiles::names, of the last run.
  [[nodiscard]] virtual std::vector<std::string> names(const std::string& /*kind*/) const { return {}; }
  /// How a file is read.
  [[nodiscard]] edit::Form form_of(const std::string& path) const;
  /// Whether an edit of one file can state a value of the result.
  [[nodiscard]] virtual bool has_editable_files() const { return false; }
  /// Files and folders of which the command line names those that can state values, weakest first.
  [[nodiscard]] virtual std::vector<std::string> named_files(Session& /*session*/) const { return {}; }
  /// Whether a file that the last run has read can state values of the result. Others are not layers of it.
  [[nodiscard]] virtual bool states_values(Session& /*session*/, const std::string& /*path*/) { return true; }
  /// The subjects of a fleet.
  [[nodiscard]] virtual FleetSubjects subjects(Session& /*session*/) { return {}; }
};

/// The result of a run in one piece, as `options` show it.
[[nodiscard]] analysis::Whole whole_of(const Outcome& outcome, const SharedOptions& options);

/// With `--strict`, the first warning that counts as an error.
[[nodiscard]] std::optional<Diagnostic> strict_failure(const Diagnostics& diagnostics, const SharedOptions& options);

/// Adds a command to the program. Each registration is an object of static storage duration in the source of its
/// command; no other source names it, so that a new command changes no other file. Sources are linked as objects, not
/// from a library: the linker keeps them although no source names them.
class Registration {
 public:
  struct Entry {
    std::string_view name;  ///< As users type it: `merge`, `bindings check`.
    /// The position in the help: lower first, equal ones by name. It decides the heading, too.
    unsigned place;
    std::unique_ptr<Command> (*make)();
    std::array<std::string_view, 2> examples;  ///< For the end of the help. They work from the root of the source.
    std::string_view page;                     ///< The page of the manual, below docs/.
    bool is_question = false;                  ///< Analyses can ask it: its command is a Verb.
    bool is_hidden = false;                    ///< Not for people: neither help nor manual show it.
    // Of one command of each dialect: what `--version --verbose` says.
    std::string_view dialect = {};   ///< The name that users know: `Hiera 5`.
    std::string_view fidelity = {};  ///< What strata behaves as.

    /// The heading in the help: systems from 0, analyses from 700, the service from 800, integrations from 850, others
    /// from 900. Empty: hidden.
    [[nodiscard]] std::string_view heading() const noexcept;
  };

  /// Links itself into a list: it needs no memory, and no other object to be initialised before.
  explicit Registration(const Entry& entry) noexcept;
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;
  ~Registration() = default;

  /// All entries, in the order of the help.
  [[nodiscard]] static std::vector<const Entry*> all();

 private:
  Entry entry_;
  const Registration* next_;
};

}  // namespace strata::cli
