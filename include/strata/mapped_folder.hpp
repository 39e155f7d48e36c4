// SPDX-License-Identifier: Apache-2.0
// Folders of another machine, as files name them, and where their files are here.
#pragma once

#include <span>
#include <string>

namespace strata {

/// Both absolute, without a slash at the end.
struct MappedFolder {
  std::string from;
  std::string to;
  friend bool operator==(const MappedFolder&, const MappedFolder&) = default;
};

/// `path` in the folder that stands for the one of another machine: that with the longest name counts. Other paths, and
/// relative ones, stay as they are.
[[nodiscard]] std::string mapped_path(std::span<const MappedFolder> folders, std::string path);

}  // namespace strata
