// SPDX-License-Identifier: Apache-2.0
#include "strata/links.hpp"

#include <algorithm>
#include <climits>
#include <deque>
#include <utility>

#include "strata/stop.hpp"
#include "strata/stop_scope.hpp"
#include "value/tree_path.hpp"

namespace strata::detail {
namespace {

using Names = std::deque<std::string>;

/// The folder of an absolute path, and its name there.
std::pair<std::string, std::string> split(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return {path.substr(0, std::max<std::size_t>(slash, 1)), path.substr(slash + 1)};
}

std::string joined(const std::string& folder, std::string_view name) {
  return folder == "/" ? folder + std::string(name) : folder + "/" + std::string(name);
}

Names path_names(std::string_view path) {
  Names out;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    if (const std::string_view name = path.substr(begin, end - begin); !name.empty() && name != ".")
      out.emplace_back(name);
    begin = end + 1;
  }
  return out;
}

/// Where names lead from a folder whose path has no links. No value: too many links.
std::optional<std::string> walk(const LinkedTree& tree, std::string at, Names names) {
  for (int links = 0; !names.empty();) {
    const std::string name = std::move(names.front());
    names.pop_front();
    if (name == "..") {
      at = split(at).first;
      continue;
    }
    std::string next = joined(at, name);
    const auto target = tree.link(next);
    if (!target) {
      at = std::move(next);
      continue;
    }
    if (++links > kMaxLinks || target->size() >= PATH_MAX) return std::nullopt;
    check_stop(StopScope::stop());
    if (target->starts_with('/')) at = "/";
    const Names more = path_names(*target);
    names.insert(names.begin(), more.begin(), more.end());
  }
  return at;
}

}  // namespace

std::vector<std::string> LinkedTree::trail(std::string_view path) const { return Trails().find(*this, path); }

std::optional<std::string> link_in(const FileTree& tree, const std::string& path) {
  const auto* linked = dynamic_cast<const LinkedTree*>(&tree);
  return linked == nullptr ? std::nullopt : linked->link(path);
}

std::vector<std::string> trail_of(const FileTree& tree, std::string_view path) {
  if (const auto* linked = dynamic_cast<const LinkedTree*>(&tree)) return linked->trail(path);
  return {"/" + parse_tree_path(path).join()};
}

std::string real_path(const FileTree& tree, std::string_view path) { return trail_of(tree, path).back(); }

std::vector<std::string> Trails::find(const LinkedTree& tree, std::string_view path) const {
  const std::string given = "/" + parse_tree_path(path).join();
  if (given == "/" || given.size() > PATH_MAX) return {given};
  auto [around, name] = split(given);
  std::optional<std::string> above = folder(tree, around);
  std::vector<std::string> out;
  for (int links = 0; above && links <= kMaxLinks; ++links) {
    out.push_back(joined(*above, name));
    const auto target = tree.link(out.back());
    if (!target) return out;
    if (target->size() >= PATH_MAX) break;
    check_stop(StopScope::stop());
    if (target->starts_with('/')) above = "/";
    Names names = path_names(*target);
    if (names.empty() || names.back() == "..") {  // A folder.
      above = walk(tree, *above, std::move(names));
      if (above) out.push_back(std::move(*above));
      return above ? out : std::vector<std::string>{given};
    }
    name = std::move(names.back());
    names.pop_back();
    above = walk(tree, *above, std::move(names));
  }
  return {given};
}

std::optional<std::string> Trails::folder(const LinkedTree& tree, const std::string& path) const {
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = folders_.find(path); known != folders_.end()) return known->second;
  }
  auto out = walk(tree, "/", path_names(path));
  if (!out) return out;
  const std::lock_guard lock(mutex_);
  if (folders_.size() >= kMost) folders_.clear();
  folders_.emplace(path, *out);
  return out;
}

}  // namespace strata::detail
