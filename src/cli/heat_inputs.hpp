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

 private:
  [[nodiscard]] std::optional<SourceId> find(Session& session, const std::string& name) const;
  [[nodiscard]] SourceId get(Session& session, const std::string& name, std::string_view what) const;

  std::vector<std::string> environment_files_;
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
