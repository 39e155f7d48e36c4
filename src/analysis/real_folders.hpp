// SPDX-License-Identifier: Apache-2.0
// Folders and what stands below them, each real one once.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "strata/file_tree.hpp"

namespace strata::analysis {

/// A walk through folders. Links can lead to one folder by any number of paths, and in cycles: each folder is
/// visited once. The tree must outlive the object.
class RealFolders {
 public:
  explicit RealFolders(const FileTree& tree) : tree_(tree) {}

  using Use = std::function<void(const std::string& path, const std::string& name, FileKind kind)>;
  /// Calls `use` for each entry of a folder, and below it, that is not a folder itself, at most 64 folders deep; what
  /// links lead to comes last in its folder. `hidden`: also in folders below it whose names begin with a dot. Errors:
  /// those of listing a folder.
  void each_file(const std::string& folder, bool hidden, const Use& use) { visit(folder, hidden, use, 0); }

 private:
  void visit(const std::string& folder, bool hidden, const Use& use, int depth);

  const FileTree& tree_;
  std::set<std::string> seen_;  ///< Where they are.
};

}  // namespace strata::analysis
