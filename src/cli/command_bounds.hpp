// SPDX-License-Identifier: Apache-2.0
// Which files of the host a command may read where files name them, and which of them its messages may quote.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "strata/error.hpp"
#include "strata/file_bounds.hpp"
#include "strata/workspace.hpp"

namespace strata::cli {

/// Folders and files that a user names, and with them the repositories of what they hold.
class NamedByUser {
 public:
  /// `folder`: absolute, the working folder.
  explicit NamedByUser(std::string folder) : folder_(std::move(folder)) {}

  /// A folder and nothing around it.
  void add_folder(const std::string& path);
  /// A folder with configuration: its repository, or else all that is below the working folder where it is one of that,
  /// or else the folder itself.
  void add_project(const std::string& folder);
  /// All that the arguments of a command name, its name left out. A file of configuration stands for its folder, as
  /// `add_project`. An input, such as facts, is that file alone.
  void add_arguments(const std::vector<std::string>& words, const workspace::VerbForm& form);
  /// A file of configuration.
  void add_file(const std::string& path);
  /// One file alone, or one folder with inputs.
  void add_input(const std::string& path);

  /// Where nothing was named, the working folder as a project.
  [[nodiscard]] std::shared_ptr<const FileBounds> bounds() const;

 private:
  void add_root(const std::string& folder, bool with_repository);

  std::string folder_;
  std::vector<std::string> folders_;
  std::vector<std::string> files_;
};

/// The folder `around`, whose projects a user names. `allowed`: further folders that files may name.
[[nodiscard]] NamedByUser named_around(const std::string& around, const std::vector<std::string>& allowed);
/// Everything that the arguments of a command name, the first of which are its name. `fleet`: a list of targets; empty:
/// none.
[[nodiscard]] std::shared_ptr<const FileBounds> bounds_of_command(const std::vector<std::string>& words,
                                                                  const std::vector<std::string>& allowed,
                                                                  const std::string& fleet = {});

/// A diagnostic without what it quotes of files that the bounds do not hold: their lines and names of parts, and
/// messages about them. Relative names count from `folder`.
[[nodiscard]] Diagnostic without_outside(Diagnostic diagnostic, const FileBounds& bounds, const std::string& folder);

}  // namespace strata::cli
