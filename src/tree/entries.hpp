// SPDX-License-Identifier: Apache-2.0
// Names in folders, with kinds and without.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "strata/file_tree.hpp"
#include "strata/stop.hpp"
#include "strata/stop_scope.hpp"

namespace strata::detail {

/// Called for each listing: a few objects of git can be a tree of a billion folders, and code that walks one has no
/// Stop. Errors: as Stop::check, for the work of the thread.
inline void check_listing() { check_stop(StopScope::stop()); }

inline std::vector<std::string> names_of(std::vector<FileTree::Named> entries) {
  std::vector<std::string> out;
  out.reserve(entries.size());
  for (FileTree::Named& entry : entries) out.push_back(std::move(entry.name));
  return out;
}

/// Entries whose kinds are not known.
inline std::vector<FileTree::Named> entries_of(std::vector<std::string> names) {
  std::vector<FileTree::Named> out;
  out.reserve(names.size());
  for (std::string& name : names) out.push_back({.name = std::move(name)});
  return out;
}

}  // namespace strata::detail
