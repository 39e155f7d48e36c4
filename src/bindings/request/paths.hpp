// SPDX-License-Identifier: Apache-2.0
// Absolute paths in a FileTree, lexically normal.
#pragma once

#include <string>
#include <string_view>

namespace strata::bindings {

/// Removes `.`, `..`, double slashes and a final slash. `path` is absolute.
[[nodiscard]] std::string normal(std::string_view path);
/// `path` relative to `folder` (absolute). An absolute `path` is unchanged.
[[nodiscard]] std::string joined(std::string_view folder, std::string_view path);

}  // namespace strata::bindings
