// SPDX-License-Identifier: Apache-2.0
// Lookups of paths that a tree may not read.
#pragma once

#include <optional>
#include <string_view>

#include "strata/file_tree.hpp"

namespace strata {

/// What is at a path. No value: the tree may not read it (`tree.outside`). Throws all other errors of FileTree::kind.
/// Example: `kind_inside(tree, "/etc").value_or(FileKind::none)` treats what is outside as missing.
[[nodiscard]] std::optional<FileKind> kind_inside(const FileTree& tree, std::string_view path);

/// Whether the tree may not read a path (`tree.outside`). False where the path has another error: reading it reports
/// that one. Throws only errors that end the request.
[[nodiscard]] bool is_outside(const FileTree& tree, std::string_view path);

}  // namespace strata
