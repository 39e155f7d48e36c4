// Files that nobody has named: found in a folder, or by a pattern.
#pragma once

#include <string_view>

#include "strata/file_tree.hpp"

namespace strata {

/// The kind of a file that was found in a folder. Error `tree.not-regular` where it is a pipe, a socket or a device, which may have no end, and is
/// read only where it is named.
[[nodiscard]] FileKind found_kind(const FileTree& tree, std::string_view path);

}  // namespace strata
