// Lists of names.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace strata::service {

/// Sorts by bytes, and leaves each name once.
inline void sort_once(std::vector<std::string>& names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
}

}  // namespace strata::service
