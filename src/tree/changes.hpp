// What differs between two trees.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "strata/file_tree.hpp"

namespace strata::detail {

/// A tree whose files never change: files in memory, a revision.
class FixedTree : public FileTree {};

/// The files that have other bytes in `tree` than in `before`: their absolute paths, sorted. Kinds and listings are the same in both, and neither
/// tree ever changes. None where that is not so, where it is not known, and where there are more than `most`.
[[nodiscard]] std::optional<std::vector<std::string>> changed_files(const FileTree& tree, const FileTree& before, std::size_t most);

}  // namespace strata::detail
