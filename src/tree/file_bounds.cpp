// SPDX-License-Identifier: Apache-2.0
#include "strata/file_bounds.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "strata/links.hpp"
#include "strata/paths.hpp"

namespace strata {
namespace {

/// Where an absolute path of the host leads.
std::string real_place(std::string_view path) {
  const auto host = host_tree();
  return detail::real_path(*host, path);
}

/// Whether a path is `.git` or below one.
bool is_of_git(std::string_view path) {
  while (!path.empty()) {
    const std::string_view name = path.substr(0, path.find('/'));
    if (is_git_folder(name)) return true;
    path.remove_prefix(std::min(name.size() + 1, path.size()));
  }
  return false;
}

}  // namespace

bool is_git_folder(std::string_view name) {
  const auto is_same = [](char one, char lower) {
    return (one >= 'A' && one <= 'Z' ? static_cast<char>(one + ('a' - 'A')) : one) == lower;
  };
  return std::ranges::equal(name, std::string_view(".git"), is_same);
}

FileBounds::FileBounds(const std::vector<std::string>& folders, std::vector<std::string> files)
    : files_(std::make_move_iterator(files.begin()), std::make_move_iterator(files.end())) {
  for (const std::string& folder : folders) folders_.push_back(real_place(folder));
}

FileBounds::FileBounds(FileBounds one, const FileBounds& other) : FileBounds(std::move(one)) {
  folders_.insert(folders_.end(), other.folders_.begin(), other.folders_.end());
  files_.insert(other.files_.begin(), other.files_.end());
}

bool FileBounds::contains(std::string_view real) const {
  return std::ranges::any_of(folders_, [real](std::string_view folder) { return is_within(real, folder); });
}

bool FileBounds::may_open(std::string_view real) const {
  return std::ranges::any_of(folders_, [real](std::string_view folder) {
    return is_within(real, folder) && !is_of_git(real.substr(folder.size()));
  });
}

bool FileBounds::allows(std::string_view path, std::string_view folder) const {
  const std::string whole = absolute_path(folder, path);
  return names(whole) || contains(real_place(whole));
}

}  // namespace strata
