// SPDX-License-Identifier: Apache-2.0
#include "analysis/real_folders.hpp"

#include <algorithm>
#include <vector>

#include "strata/found_file.hpp"
#include "strata/links.hpp"

namespace strata::analysis {

// Recursion: bounded by kDeepest.
void RealFolders::visit(const std::string& folder, bool hidden, const Use& use, int depth) {
  constexpr int kDeepest = 64;
  std::string place = detail::real_path(tree_, folder);
  if (depth > kDeepest || !seen_.insert(place).second) return;
  std::vector<std::string> links;
  for (const FileTree::Named& one : tree_.entries(folder)) {
    const std::string path = path_in(folder, one.name);
    const FileKind kind = one.kind ? *one.kind : tree_.kind(path);
    if (kind != FileKind::folder) {
      use(path, one.name, kind);
    } else if (hidden || !one.name.starts_with('.')) {
      const bool is_link = !one.kind && detail::real_path(tree_, path) != path_in(place, one.name);
      if (is_link) {
        links.push_back(path);
      } else {
        visit(path, hidden, use, depth + 1);
      }
    }
  }
  for (const std::string& path : links) visit(path, hidden, use, depth + 1);
}

}  // namespace strata::analysis
