// SPDX-License-Identifier: Apache-2.0
#include "tree_path.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "strata/paths.hpp"

namespace strata::detail {

std::string TreePath::join() const {
  std::size_t size = names.size();
  for (const std::string_view name : names) size += name.size();
  std::string out;
  out.reserve(size);
  for (const std::string_view name : names) {
    if (!out.empty()) out += '/';
    out += name;
  }
  return out;
}

TreePath parse_tree_path(std::string_view path) {
  TreePath result;
  result.absolute = path.starts_with('/');
  result.names.reserve(static_cast<std::size_t>(std::count(path.begin(), path.end(), '/')) + 1);
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view name = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (name.empty() || name == ".") continue;
    if (name != "..") {
      result.names.push_back(name);
    } else if (!result.names.empty()) {
      result.names.pop_back();
    } else {
      ++result.up;
    }
  }
  return result;
}

bool is_plain_path(std::string_view path) noexcept {
  if (path.empty()) return true;
  if (path.starts_with('/')) path.remove_prefix(1);
  // A name that begins with a dot may be `.` or `..`.
  return !path.empty() && path.front() != '/' && path.front() != '.' && path.back() != '/' &&
         path.find("//") == std::string_view::npos && path.find("/.") == std::string_view::npos;
}

Error outside_error(std::string_view path, std::string_view where) {
  return Error("tree.outside", fmt::format("'{}' leads out of {}", path, where))
      .in(std::string(path))
      .hint("name a file inside it");
}

Error unreadable_error(std::string_view path, std::string_view why) {
  return Error("tree.unreadable", fmt::format("the file cannot be read: {}", why)).in(std::string(path));
}

Error too_large_error(std::string_view path, std::size_t max_bytes) {
  return Error("limit.input", fmt::format("the file is larger than {} bytes", max_bytes)).in(std::string(path));
}

}  // namespace strata::detail

namespace strata {

std::string absolute_path(std::string_view folder, std::string_view path) {
  const std::string whole = path.starts_with('/') ? std::string(path) : fmt::format("{}/{}", folder, path);
  return "/" + detail::parse_tree_path(whole).join();
}

bool is_within(std::string_view path, std::string_view folder) {
  if (!path.starts_with(folder)) return false;
  return folder.ends_with('/') || path.size() == folder.size() || path[folder.size()] == '/';
}

std::string shown_path(std::string_view path, std::string_view folder) {
  std::string_view below = path;
  if (below.starts_with(folder)) {
    below.remove_prefix(folder.size());
    if (folder.ends_with('/')) return std::string(below);
    if (below.starts_with('/')) return std::string(below.substr(1));
  }
  return std::string(path);
}

}  // namespace strata
