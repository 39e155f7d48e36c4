// environment.conf: where an environment's modules are.
#pragma once

#include <string>
#include <vector>

#include "strata/file_tree.hpp"
#include "strata/origin.hpp"

namespace strata::hiera {

/// The folders of the module path, absolute: what `modulepath` says, else `modules` of the environment, then of the code directory.
[[nodiscard]] std::vector<std::string> read_module_path(const FileTree& tree, Sources& sources, const std::string& codedir,
                                                        const std::string& environment_folder, const std::string& environment);

}  // namespace strata::hiera
