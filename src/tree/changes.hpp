// SPDX-License-Identifier: Apache-2.0
// Differences between two trees.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "strata/file_tree.hpp"

namespace strata::detail {

/// A tree whose files never change: files in memory, a revision.
class FixedTree : public FileTree {};

/// The files whose bytes differ between `tree` and `before`: their absolute paths, sorted. No value unless both trees
/// never change and have the same kinds and listings; also if that is unknown, and if there are more than `most` such
/// files.
[[nodiscard]] std::optional<std::vector<std::string>> changed_files(const FileTree& tree, const FileTree& before,
                                                                    std::size_t most);

}  // namespace strata::detail
