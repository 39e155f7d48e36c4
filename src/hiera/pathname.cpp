// SPDX-License-Identifier: Apache-2.0
#include "pathname.hpp"

#include <optional>
#include <vector>

namespace strata::hiera {
namespace {

std::string_view without_trailing_slashes(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path;
}

struct Chopped {
  std::string_view prefix;  ///< With its slash.
  std::string_view name;
};

/// Takes the last name off; none where there is no name left.
std::optional<Chopped> chop(std::string_view path) {
  const std::string_view trimmed = without_trailing_slashes(path);
  if (trimmed.empty() || trimmed == "/") return std::nullopt;
  const std::size_t slash = trimmed.rfind('/');
  const std::size_t begin = slash == std::string_view::npos ? 0 : slash + 1;
  return Chopped{trimmed.substr(0, begin), trimmed.substr(begin)};
}

}  // namespace

std::string parent_path(std::string_view path) {
  const auto chopped = chop(path);
  if (!chopped) return std::string(path.empty() ? "." : "/");
  const std::string_view folder = without_trailing_slashes(chopped->prefix);
  return std::string(folder.empty() ? "." : folder);
}

std::string join_path(std::string_view base, std::string_view path) {
  struct Name {
    std::string_view name;
    std::size_t at;
  };
  std::vector<Name> names;
  std::string_view rest = path;
  while (const auto chopped = chop(rest)) {
    names.insert(names.begin(), {chopped->name, chopped->prefix.size()});
    rest = chopped->prefix;
  }
  if (!rest.empty()) return std::string(path);

  std::string prefix(base);
  std::size_t next = 0;
  bool has_name = false;
  while (true) {
    while (next < names.size() && names[next].name == ".") ++next;
    const auto chopped = chop(prefix);
    if (!chopped) break;
    const std::string name(chopped->name);
    prefix = std::string(chopped->prefix);
    if (name == ".") continue;
    if (name == ".." || next == names.size() || names[next].name != "..") {
      prefix += name;
      has_name = true;
      break;
    }
    ++next;
  }
  const bool is_root = !has_name && prefix.starts_with('/');
  if (is_root) {
    while (next < names.size() && names[next].name == "..") ++next;
  }
  if (next == names.size()) {
    if (has_name || is_root) return prefix.empty() ? "." : prefix;
    return prefix.empty() ? "." : parent_path(prefix);
  }
  const std::string_view suffix = path.substr(names[next].at);
  if (!has_name && !is_root) return prefix + std::string(suffix);
  if (prefix.ends_with('/')) return prefix + std::string(suffix);
  return prefix + "/" + std::string(suffix);
}

}  // namespace strata::hiera
