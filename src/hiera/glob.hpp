// SPDX-License-Identifier: Apache-2.0
// Ruby's file globbing, on a FileTree.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "strata/file_tree.hpp"

namespace strata::hiera {

/// The files (not folders) that match an absolute pattern: `*`, `?`, `[…]`, `{a,b}`, `**/`, `\` to quote. Hidden names
/// must be spelled out. Order: alternatives as written; in each folder its entries by byte, with the contents of a
/// folder in its place. Error `hiera.glob` if more than `most` names must be visited.
[[nodiscard]] std::vector<std::string> glob_files(const FileTree& tree, std::string_view pattern,
                                                  std::size_t most = 1'000'000);
/// As glob_files, the folders.
[[nodiscard]] std::vector<std::string> glob_folders(const FileTree& tree, std::string_view pattern,
                                                    std::size_t most = 1'000'000);

/// Whether a name of one entry of a folder matches a part of a pattern without `{a,b}`.
[[nodiscard]] bool name_matches(std::string_view pattern, std::string_view name);

}  // namespace strata::hiera
