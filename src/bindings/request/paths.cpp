// SPDX-License-Identifier: Apache-2.0
#include "bindings/request/paths.hpp"

#include <algorithm>
#include <cassert>
#include <vector>

namespace strata::bindings {

std::string normal(std::string_view path) {
  assert(path.starts_with('/'));
  std::vector<std::string_view> names;
  names.reserve(static_cast<std::size_t>(std::count(path.begin(), path.end(), '/')));
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string_view name = path.substr(at, end - at);
    at = end + 1;
    if (name.empty() || name == ".") continue;
    if (name != "..") {
      names.push_back(name);
    } else if (!names.empty()) {
      names.pop_back();
    }
  }
  std::string out;
  out.reserve(path.size());
  for (const std::string_view name : names) out.append("/").append(name);
  return out.empty() ? "/" : out;
}

std::string joined(std::string_view folder, std::string_view path) {
  if (path.starts_with('/')) return normal(path);
  std::string whole;
  whole.reserve(folder.size() + 1 + path.size());
  return normal(whole.append(folder).append("/").append(path));
}

}  // namespace strata::bindings
