// SPDX-License-Identifier: Apache-2.0
// Projects of trees in memory.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "strata/file_tree.hpp"
#include "strata/workspace.hpp"

namespace strata::testing {

using Files = std::map<std::string, std::string>;

inline workspace::Found found_in(Files files, std::string folder = "/", std::string root = {}) {
  return workspace::find_projects(*memory_tree(std::move(files)), {.folder = std::move(folder),
                                                                   .root = std::move(root),
                                                                   .working_folder = {},
                                                                   .is_left_out = nullptr,
                                                                   .limits = {}});
}

/// `name verb folder rule`, a line for each project.
inline std::string told(const workspace::Found& found) {
  std::string out;
  for (const workspace::Project& project : found.projects) {
    out += project.name + " " + project.verb + " " + project.folder + " " + std::string(to_string(project.rule)) + "\n";
  }
  return out;
}

/// Forms of verbs like those of the program.
inline workspace::VerbForm lookup_form() {
  using Path = workspace::VerbOption::Path;
  workspace::VerbForm out{.name = "lookup", .options = {}, .args_are_paths = false};
  for (const char* name : {"--codedir", "--environment-root", "--nodes", "--facts"}) {
    out.options.push_back({.names = {name}, .takes_value = true, .is_repeated = false, .path = Path::yes});
  }
  for (const char* name : {"--environment", "--node", "--default"})
    out.options.push_back({.names = {name}, .takes_value = true});
  out.options.push_back({.names = {"--all"}});
  out.options.push_back({.names = {"--sort-keys", "--no-sort-keys"}});
  return out;
}

inline workspace::VerbForm merge_form() {
  using Path = workspace::VerbOption::Path;
  workspace::VerbForm out{.name = "merge", .options = {}, .args_are_paths = true};
  out.options.push_back({.names = {"-b", "--base"}, .takes_value = true, .is_repeated = true, .path = Path::yes});
  out.options.push_back({.names = {"--merger"}, .takes_value = true, .is_repeated = true, .path = Path::after_equals});
  out.options.push_back({.names = {"--nodes-dir"},
                         .takes_value = true,
                         .is_repeated = false,
                         .path = Path::yes,
                         .default_path = "nodes"});
  out.options.push_back({.names = {"--limit"}, .takes_value = true, .is_repeated = true});
  return out;
}

}  // namespace strata::testing
