// SPDX-License-Identifier: Apache-2.0
#include "strata/kind_inside.hpp"

#include "strata/error.hpp"

namespace strata {

std::optional<FileKind> kind_inside(const FileTree& tree, std::string_view path) {
  try {
    return tree.kind(path);
  } catch (const Error& error) {
    if (error.code() != "tree.outside") throw;
    return std::nullopt;
  }
}

bool is_outside(const FileTree& tree, std::string_view path) {
  try {
    return !kind_inside(tree, path);
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    return false;
  }
}

}  // namespace strata
