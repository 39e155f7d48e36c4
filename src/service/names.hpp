// SPDX-License-Identifier: Apache-2.0
// Lists of names.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace strata::service {

/// Sorts by bytes, and leaves each name once.
inline void sort_once(std::vector<std::string>& names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
}

/// Whether requests may give a node this name: `[A-Za-z0-9._-]{1,253}`, without a leading dot. Those that the files of
/// a site name may be called otherwise.
[[nodiscard]] inline bool is_node_name(std::string_view name) noexcept {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  return !name.empty() && name.size() <= 253 && name.front() != '.' &&
         name.find_first_not_of(kPlain) == std::string_view::npos;
}

}  // namespace strata::service
