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
#include "strata/session.hpp"

namespace strata::cli {

/// Receives output that is written while it is made.
struct Stream {
  std::function<void(std::string_view)> print;
  std::function<void(const Diagnostic&, std::string_view severity)> tell;
  std::function<void(std::string)> progress;  ///< Shows the progress of the work, if somebody watches.
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
};

/// One command. A run may happen twice, on two trees.
class Command {
 public:
  virtual ~Command() = default;
  virtual void add_to(Arguments& program) = 0;
  /// Whether this command was chosen.
  [[nodiscard]] virtual bool is_chosen() const = 0;
  [[nodiscard]] virtual SharedOptions& options() = 0;
  [[nodiscard]] virtual bool allows_network() const { return false; }
  /// The exit status for a wrong command line.
  [[nodiscard]] virtual int usage_status() const { return 2; }
  /// The exit status for a run that ends with an error.
  [[nodiscard]] virtual int error_status() const { return 1; }
  /// Whether `--explain` means a history, not a feature of the command.
  [[nodiscard]] virtual bool explains_by_history() { return options().explain.has_value(); }
  /// A file or folder that a run reads, as named by the user: the repository of revisions is searched around it. Empty: around the working directory.
  [[nodiscard]] virtual std::string place_of_files() const { return {}; }
  /// Reads the inputs from the host, once. Throws UsageError, Error.
  virtual void prepare(Host& host) = 0;
  virtual Outcome run(Session& session) = 0;

  // For comparisons.

  /// What has one result: node, site, stack, machine.
  [[nodiscard]] virtual std::string_view subject() const { return "node"; }
  /// The parts of a result by their names, with those that are missing.
  [[nodiscard]] virtual std::vector<analysis::Item> items(const Outcome& outcome) const {
    return {{.name = {}, .value = outcome.result.value, .failure = {}}};
  }
  /// The outcomes of the nodes of a fleet, each made when it is asked for; null where the question is about one subject.
  [[nodiscard]] virtual std::unique_ptr<analysis::Subjects> subjects(Session& /*session*/) { return nullptr; }
};

/// With `--strict`, the first warning that counts as an error.
[[nodiscard]] std::optional<Diagnostic> strict_failure(const Diagnostics& diagnostics, const SharedOptions& options);

/// Runs a chosen command and shows its result as the shared options ask. Returns the exit status.
int execute(Command& command);

/// Adds a command to the program. Each registration is an object of static storage duration in the source of its command; no other source names it,
/// so that a new command changes no other file. Sources are linked as objects, not from a library: the linker keeps what nobody names.
class Registration {
 public:
  struct Entry {
    std::string_view name;  ///< As users type it: `merge`, `bindings check`.
    unsigned place;         ///< The position in the help: lower first, equal ones by name.
    std::unique_ptr<Command> (*make)();
    std::array<std::string_view, 2> examples;  ///< For the end of the help. They work from the root of the source.
    std::string_view page;                     ///< The page of the manual, below docs/.
    // Of one command of each dialect: what `--version --verbose` says.
    std::string_view dialect = {};   ///< The name that users know: `Hiera 5`.
    std::string_view fidelity = {};  ///< What strata behaves as.
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
