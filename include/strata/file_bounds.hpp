// SPDX-License-Identifier: Apache-2.0
// Which files of the host may be read where files of a repository name them.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "strata/file_tree.hpp"

namespace strata {

/// Whether a name is that of the folder of git. Checkouts of CI leave credentials there, and files of a repository must
/// not make results of them. File systems that ignore case read `.GIT`, too.
[[nodiscard]] bool is_git_folder(std::string_view name);

/// Folders and files that a user has named. Immutable; thread-safe.
class FileBounds {
 public:
  /// `folders`: all that is below them, wherever links in them lead, as long as that is below one of them, too.
  /// `files`: these very names, whatever they are and wherever they lead: a pipe of the shell, standard input. Both are
  /// absolute. Folders that do not exist count by their names.
  FileBounds(const std::vector<std::string>& folders, std::vector<std::string> files);

  /// All that either of two allows.
  FileBounds(FileBounds one, const FileBounds& other);

  /// Whether an absolute path is one of the files.
  [[nodiscard]] bool names(std::string_view path) const { return files_.contains(path); }
  /// Whether an absolute path without links is one of the folders or below one.
  [[nodiscard]] bool contains(std::string_view real) const;
  /// The same for a file to read or a folder to list: not of a `.git` in one of the folders.
  [[nodiscard]] bool may_open(std::string_view real) const;
  /// Whether a path of the host may be read, wherever its links lead now. Relative ones count from `folder`.
  [[nodiscard]] bool allows(std::string_view path, std::string_view folder) const;

 private:
  std::vector<std::string> folders_;  ///< Without links.
  std::set<std::string, std::less<>> files_;
};

/// The host's file system as host_tree, but only what `bounds` allow, and of that only regular files and folders. The
/// file that is read is the one that was checked: what its descriptor leads to counts, not its name. Error
/// `tree.outside` for everything else, whether it exists or not. Null bounds: host_tree.
std::unique_ptr<FileTree> bounded_tree(std::shared_ptr<const FileBounds> bounds, std::string start = {},
                                       std::size_t max_bytes = std::size_t{1} << 30);

}  // namespace strata
