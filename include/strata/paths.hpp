// SPDX-License-Identifier: Apache-2.0
// Absolute paths, resolved in their text as in every FileTree.
#pragma once

#include <string>
#include <string_view>

namespace strata {

/// `path` relative to `folder`, which is absolute or empty (the root). An absolute `path` ignores `folder`. The result
/// is lexically normal: no `.`, no `..`, no double or final slash. `..` above the root is the root. Does not access a
/// file system.
[[nodiscard]] std::string absolute_path(std::string_view folder, std::string_view path);

/// Whether `path` is `folder` or below it. Both are absolute, and normal as from absolute_path. Compares texts: links
/// count by their own names. Example: `is_within("/etc/puppet", "/etc")` is true, `is_within("/etcetera", "/etc")` is
/// not.
[[nodiscard]] bool is_within(std::string_view path, std::string_view folder);

/// `path`, which is absolute, as people read it: relative to `folder` if it is below it.
[[nodiscard]] std::string shown_path(std::string_view path, std::string_view folder);

}  // namespace strata
