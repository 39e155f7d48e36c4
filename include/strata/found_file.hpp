// SPDX-License-Identifier: Apache-2.0
// Files that nobody has named: found in a folder, or by a pattern.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "strata/file_tree.hpp"

namespace strata {

/// The kind of a file that was found in a folder. Error `tree.not-regular` where it is a pipe, a socket or a device,
/// which may have no end, and is read only where it is named.
[[nodiscard]] FileKind found_kind(const FileTree& tree, std::string_view path);

/// The path of a name in a folder.
[[nodiscard]] std::string path_in(std::string_view folder, std::string_view name);

/// `name` without its ending, which is one of `endings`. Empty if it has none of them.
[[nodiscard]] std::string_view stem_of(std::string_view name, std::span<const std::string_view> endings);

/// Which files of a folder are meant.
struct FolderWalk {
  std::span<const std::string_view> endings;  ///< Files with one of these endings.
  bool hidden = true;                         ///< Also files whose names begin with a dot.
  bool below = false;  ///< Also files of the folders below, but not of those whose names begin with a dot.
  std::span<const std::string_view> skipped = {};  ///< Names of folders below that are left out, too.
  /// For `below`: the code of the error for more than 32 levels or 100,000 folders. A link that leads back to a folder
  /// above ends so.
  std::string_view code = {};
};

/// The paths of the files in a folder, by name in byte order; those of a folder below stand where its name stands. A
/// link that leads nowhere counts as a file: what reads it says so. Errors: `tree.not-regular`, those of FileTree, and
/// FolderWalk::code.
[[nodiscard]] std::vector<std::string> files_in(const FileTree& tree, const std::string& folder,
                                                const FolderWalk& walk);

/// The names of the files in a folder that have one of the endings, sorted by stem. The folder is only listed, so a
/// name may also belong to something other than a file.
[[nodiscard]] std::vector<std::string> names_by_stem(const FileTree& tree, const std::string& folder,
                                                     std::span<const std::string_view> endings);

/// Two names with one stem.
struct SameStem {
  std::string stem;
  std::string first;
  std::string second;
};
/// The first two names with one stem, of names in the order of `names_by_stem`.
[[nodiscard]] std::optional<SameStem> find_same_stem(std::span<const std::string> names,
                                                     std::span<const std::string_view> endings);

/// The names of the folders in `parents` for which `is_meant` holds. Sorted; a name that is in several parents occurs
/// once.
[[nodiscard]] std::vector<std::string> folders_in(const FileTree& tree, std::span<const std::string> parents,
                                                  const std::function<bool(std::string_view name)>& is_meant);

}  // namespace strata
