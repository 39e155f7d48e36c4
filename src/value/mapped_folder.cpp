// SPDX-License-Identifier: Apache-2.0
#include "strata/mapped_folder.hpp"

#include <string_view>

namespace strata {

std::string mapped_path(std::span<const MappedFolder> folders, std::string path) {
  const MappedFolder* best = nullptr;
  for (const MappedFolder& one : folders) {
    if (!path.starts_with(one.from)) continue;
    const bool is_whole = one.from == "/" || path.size() == one.from.size() || path[one.from.size()] == '/';
    if (is_whole && (best == nullptr || best->from.size() < one.from.size())) best = &one;
  }
  if (best == nullptr) return path;
  const std::string_view rest = std::string_view(path).substr(best->from == "/" ? 0 : best->from.size());
  std::string out = best->to == "/" && !rest.empty() ? std::string() : best->to;
  return out.append(rest);
}

}  // namespace strata
