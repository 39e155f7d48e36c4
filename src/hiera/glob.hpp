// Ruby's file globbing, on a FileTree.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "strata/file_tree.hpp"

namespace strata::hiera {

/// The files (not folders) that an absolute pattern matches: `*`, `?`, `[…]`, `{a,b}`, `**/`, `\` to quote; hidden names only where they are
/// spelled out. Order: alternatives as written; in each folder its entries by byte, what a folder holds at the folder's own place.
/// Error `hiera.glob` where more than `most` names would have to be looked at.
[[nodiscard]] std::vector<std::string> glob_files(const FileTree& tree, std::string_view pattern, std::size_t most = 1'000'000);

}  // namespace strata::hiera
