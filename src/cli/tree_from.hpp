// SPDX-License-Identifier: Apache-2.0
// Finds the files of a revision.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "strata/file_bounds.hpp"
#include "strata/file_tree.hpp"

namespace strata::cli {

/// The folder of the git repository around a file or folder of the host, which need not exist now. Empty if there is
/// none, and for names that are not paths: the empty name and `-`.
[[nodiscard]] std::string repository_around(const std::string& place);

/// `tree`, with paths relative to `folder`, an absolute path.
[[nodiscard]] std::unique_ptr<FileTree> tree_from(std::unique_ptr<FileTree> tree, std::string folder);

/// The files of the host, or of a revision in the repository around `place`, a file or folder; else around the working
/// folder. `revision`: empty for the host, where `bounds` limit the files; null: all are read.
[[nodiscard]] std::unique_ptr<FileTree> files_of(const std::string& revision, const std::string& place,
                                                 std::size_t max_bytes,
                                                 const std::shared_ptr<const FileBounds>& bounds = nullptr);

}  // namespace strata::cli
