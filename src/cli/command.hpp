// What a command is to the program: its options, and one run over one tree of files.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "options.hpp"
#include "strata/error.hpp"
#include "strata/file_tree.hpp"
#include "strata/host.hpp"
#include "strata/merge.hpp"

namespace strata::cli {

/// What one run has at hand.
struct Run {
  const FileTree& tree;
  Sources& sources;
  Diagnostics& diagnostics;
  merge::History* history;  ///< Null unless a history was asked for.
  const Limits& limits;
};

/// What one run came to.
struct Outcome {
  merge::Traced result;
  std::string yaml_head;                  ///< Goes before plain YAML output: `#cloud-config`.
  std::optional<std::string> printed;     ///< The whole output, where a command makes it by itself (lists of parts).
  std::shared_ptr<const void> keepalive;  ///< What owns the result.
};

/// One verb. A run may happen twice, on two trees.
class Command {
 public:
  virtual ~Command() = default;
  virtual void add_to(CLI::App& app) = 0;
  /// Whether this command was chosen.
  [[nodiscard]] virtual bool is_chosen() const = 0;
  [[nodiscard]] virtual SharedOptions& options() = 0;
  [[nodiscard]] virtual bool allows_network() const { return false; }
  /// The exit status where the command line is wrong.
  [[nodiscard]] virtual int usage_status() const { return 2; }
  /// Whether `--explain` means a history, rather than something of the command's own.
  [[nodiscard]] virtual bool explains_by_history() { return options().explain.has_value(); }
  /// Reads what comes from the host, once. Throws UsageError, Error.
  virtual void prepare(Host& host) = 0;
  virtual Outcome run(const Run& run) = 0;
};

/// Runs a chosen command and shows what it came to as the shared options ask. The exit status.
int execute(Command& command);

std::unique_ptr<Command> merge_command();
std::unique_ptr<Command> lookup_command();

}  // namespace strata::cli
