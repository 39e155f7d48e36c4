#include "strata/found_file.hpp"

#include <string>

#include "strata/error.hpp"

namespace strata {

FileKind found_kind(const FileTree& tree, std::string_view path) {
  const FileKind kind = tree.kind(path);
  if (kind != FileKind::other) return kind;
  throw Error("tree.not-regular", "it was found in a folder, and is not a regular file")
      .in(std::string(path))
      .hint("remove it from the folder; a pipe or device is read only if it is named itself");
}

}  // namespace strata
