// Absolute paths by their text, as every FileTree reads them.
#pragma once

#include <string>
#include <string_view>

namespace strata {

/// `path` as it counts from `folder`, which is absolute or empty (the root); an absolute path stays. Lexically normal: without `.`, `..`, doubled
/// slashes and a final slash; `..` above the root is the root. Nothing is asked of a file system.
[[nodiscard]] std::string absolute_path(std::string_view folder, std::string_view path);

}  // namespace strata
