// What a request to combine environments of Heat is made of, as options: the same for compose and its companions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "strata/heat.hpp"

namespace strata::cli {

/// Hooks that are asked for beside all files: the same for compose and bundle.
class HookInputs {
 public:
  void add_to(Arguments& command);
  [[nodiscard]] std::vector<heat::HookOption> hooks() const;

 private:
  std::vector<std::string> pre_create_;
  std::vector<std::string> pre_update_;
};

/// The environment files of folders: `*.yaml`, but for names that begin with a dot, in the order of their names. Error `heat.missing-file` where one
/// is no folder. Rule: docs/heat/compose.md, "Folders of environment files".
[[nodiscard]] std::vector<std::string> environments_in(const FileTree& tree, const std::vector<std::string>& folders);

class HeatInputs {
 public:
  void add_to(Arguments& command);
  /// Reads what comes from the host: the state and standard input. Throws UsageError, Error.
  void prepare(Host& host);
  /// Reads the files through the run's tree. A `-e` name that is no file is left out of the files: a state may hold its text. Places show `<stdin>`
  /// for `-`. Errors: `heat.missing-file` for `--file`, `--environment-body` and `--template`; `heat.parameter-word`; those of the tree.
  [[nodiscard]] heat::Request read(Session& session) const;

  /// Whether nothing at all was given to combine.
  [[nodiscard]] bool is_empty() const;
  /// The first file that is named; empty where none is.
  [[nodiscard]] std::string place_of_files() const;

 private:
  [[nodiscard]] std::optional<SourceId> find(Session& session, const std::string& name) const;
  [[nodiscard]] bool has_environments() const { return !environment_files_.empty() || !environment_folders_.empty(); }

  std::vector<std::string> environment_files_;
  std::vector<std::string> environment_folders_;
  std::string environment_body_;
  std::vector<std::string> parameters_;
  std::string template_;
  std::vector<std::string> files_;
  std::string existing_;
  std::vector<std::string> cleared_parameters_;
  std::string compat_ = "promised";
  std::string existing_text_;
  std::string stdin_;
};

}  // namespace strata::cli
