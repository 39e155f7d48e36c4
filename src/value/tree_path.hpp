// SPDX-License-Identifier: Apache-2.0
// Paths as every FileTree reads them: `/` between names, `.` and `..` resolved in the text only.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "strata/error.hpp"

namespace strata::detail {

struct TreePath {
  bool absolute = false;
  std::size_t up = 0;  ///< How many folders above the start (for an absolute path: above the root) it begins.
  std::vector<std::string_view> names;

  /// The names, joined with `/`.
  [[nodiscard]] std::string join() const;
};

/// Splits a path. Empty names and `.` are removed; `..` removes the name before it.
[[nodiscard]] TreePath parse_tree_path(std::string_view path);

/// Whether a path is spelled as parse_tree_path would join it: without empty names, `.` and `..`.
[[nodiscard]] bool is_plain_path(std::string_view path) noexcept;

/// False for a text that cannot be a file name: the host would cut the path off at the zero byte.
[[nodiscard]] inline bool is_possible_path(std::string_view path) noexcept {
  return path.find('\0') == std::string_view::npos;
}

[[nodiscard]] Error outside_error(std::string_view path, std::string_view where);
[[nodiscard]] Error unreadable_error(std::string_view path, std::string_view why);
[[nodiscard]] Error too_large_error(std::string_view path, std::size_t max_bytes);

constexpr int kMaxLinks = 40;  ///< Symbolic links followed for one path, as Linux counts them.

}  // namespace strata::detail
