// SPDX-License-Identifier: Apache-2.0
// environment.conf: the module path of an environment, and its data provider.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data_provider.hpp"
#include "strata/error.hpp"
#include "strata/file_tree.hpp"
#include "strata/mapped_folder.hpp"
#include "strata/origin.hpp"

namespace strata::hiera {

struct ModulePath {
  std::vector<std::string> folders;  ///< Absolute.
  bool has_globs = false;            ///< They depend on which folders there are.
  std::vector<Diagnostic> warnings;  ///< Of parts that are left out.
  std::optional<DataProvider> data_provider = {};
};

/// `modulepath` and `environment_data_provider`, read as Puppet reads it, or else `modules` of the environment and then
/// of the code directory. `codedir` empty: the environment stands alone, and parts that need a code directory are left
/// out. `maps`: as Settings. Errors: `hiera.environment-conf` (what Puppet refuses), `hiera.glob`.
[[nodiscard]] ModulePath read_module_path(const FileTree& tree, Sources& sources, const std::string& codedir,
                                          const std::string& environment_folder, std::span<const MappedFolder> maps);

}  // namespace strata::hiera
