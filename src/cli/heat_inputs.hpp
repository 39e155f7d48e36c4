// SPDX-License-Identifier: Apache-2.0
// The options that describe environments of Heat, for compose and related commands.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "command.hpp"
#include "heat/query_options.hpp"
#include "strata/heat.hpp"

namespace strata::cli {

/// Hooks set outside the files, for compose and bundle.
[[nodiscard]] std::vector<heat::HookOption> hooks_of(const heat::QueryOptions& given);

/// The environment files of folders: `*.yaml`, except names that begin with a dot, in the order of their names. Error
/// `heat.missing-file` if one is not a folder. Rule: docs/heat/compose.md, "Folders of environment
/// files".
[[nodiscard]] std::vector<std::string> environments_in(const FileTree& tree, const std::vector<std::string>& folders);

/// Separates the files of a request that state values of its environment from its scripts and playbooks.
class HeatLayers {
 public:
  /// For another request.
  void reset() { others_.reset(); }
  /// As Verb::states_values for a run of the request.
  [[nodiscard]] bool has(const heat::Request& request, Session& session, const std::string& path);

 private:
  std::optional<std::set<std::string, std::less<>>> others_;  ///< Absolute paths. No value: not looked for yet.
};

/// The inputs that options name. The options must outlive it.
class HeatInputs {
 public:
  explicit HeatInputs(const heat::QueryOptions& given) : given_(given) {}
  /// Reads the state and standard input from the host. Throws UsageError, Error.
  void prepare(Host& host);
  /// Reads the files through the run's tree. A `-e` name that is not a file is left out, because a state may hold its
  /// text. Attaches the files that the client of the service attaches (heat::attach_files). Places show `<stdin>` for
  /// `-`. Errors: `heat.missing-file` for `--file`, `--environment-body` and `--template`; `heat.parameter-word`; those
  /// of the tree.
  [[nodiscard]] heat::Request read(Session& session) const;

  /// The environment files, weakest first.
  [[nodiscard]] std::vector<std::string> environments(const FileTree& tree) const;
  /// Whether there is nothing to combine.
  [[nodiscard]] bool is_empty() const;
  /// The first file named. Empty if there is none.
  [[nodiscard]] std::string place_of_files() const;

 private:
  [[nodiscard]] std::optional<SourceId> find(Session& session, const std::string& name) const;
  [[nodiscard]] bool has_environments() const {
    return !given_.environments.empty() || !given_.environment_folders.empty();
  }

  const heat::QueryOptions& given_;
  std::string existing_text_;
  std::string stdin_;
};

}  // namespace strata::cli
