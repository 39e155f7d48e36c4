// SPDX-License-Identifier: Apache-2.0
// Where a git repository is, and whose it is.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "strata/file_tree.hpp"

namespace strata {

/// A folder with a git repository.
class GitPlace {
 public:
  /// The repository around a folder of the user: found upwards from it, with worktrees and all that git reads.
  explicit GitPlace(std::string folder) : folder_(std::move(folder)) {}
  /// A repository that other people may have made: the folder itself, or the `.git` in it. Nothing of it may lead to
  /// another place, or opening it is the Error `git.outside`: symbolic links, worktrees, alternates, includes of its
  /// configuration. `roots`: folders one of which must hold it; none: it may be anywhere.
  static GitPlace closed(std::string folder, std::vector<std::string> roots) {
    GitPlace out(std::move(folder));
    out.is_closed_ = true;
    out.roots_ = std::move(roots);
    return out;
  }

  [[nodiscard]] const std::string& folder() const noexcept { return folder_; }
  [[nodiscard]] bool is_closed() const noexcept { return is_closed_; }
  [[nodiscard]] const std::vector<std::string>& roots() const noexcept { return roots_; }

 private:
  std::string folder_;
  bool is_closed_ = false;
  std::vector<std::string> roots_;
};

/// As `git_tree` of a folder. Errors also `git.outside`.
std::unique_ptr<FileTree> git_tree(const std::string& revision, const GitPlace& place,
                                   std::size_t max_bytes = std::size_t{1} << 30);
/// As `revision_id` of a folder. Errors also `git.outside`.
[[nodiscard]] std::string revision_id(const std::string& revision, const GitPlace& place);

/// From now on this process reads no configuration of git but that of repositories, and takes repositories of any
/// owner: for a service, whose own configuration names those that it reads. Before the first repository is opened.
void close_git_configuration();

}  // namespace strata
