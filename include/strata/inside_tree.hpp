// SPDX-License-Identifier: Apache-2.0
// A tree without the files that it may not read.
#pragma once

#include <memory>

#include "strata/file_tree.hpp"

namespace strata {

/// `tree`, where a path that it may not read (`tree.outside`) is missing: `kind` returns FileKind::none, `read` and
/// `identify` return no value, and `list` returns no names. Throws all other errors of `tree`. Analyses and pages read
/// files through it that they found themselves: in a folder, or as a level that nodes can have. Evaluations do not, as
/// they warn about a path outside. `tree` is not null. Thread safety: as FileTree.
[[nodiscard]] std::shared_ptr<const FileTree> inside_tree(std::shared_ptr<const FileTree> tree);

}  // namespace strata
