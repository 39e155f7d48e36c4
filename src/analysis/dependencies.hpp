// SPDX-License-Identifier: Apache-2.0
// The Puppet modules that files of dependencies name. Rules: docs/analysis/check.md, "Consumers".
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "strata/limits.hpp"

namespace strata::analysis {

/// The modules that a site needs, as its files name them.
struct Dependencies {
  std::set<std::string, std::less<>> modules = {};  ///< Without their authors.
  std::set<std::string, std::less<>> own = {};      ///< Modules that these files are part of.
  bool lists_all = false;                           ///< A file lists all modules of the site: a Puppetfile.
  bool is_computed = false;                         ///< Such a file computes some of the names.

  /// Reads a file if its name is one of those that name modules: `Puppetfile`, `Puppetfile.lock`, `Modulefile`,
  /// `metadata.json`, `.fixtures.yml`, `bolt-project.yaml`, `.gitmodules`. A file that cannot be read names no modules.
  /// Errors: those that end the request.
  void read(std::string_view name, std::string_view text, const Limits& limits);
  /// Whether `read` takes files with this name, without folders.
  [[nodiscard]] static bool is_one(std::string_view name);
};

}  // namespace strata::analysis
