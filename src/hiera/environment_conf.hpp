// environment.conf: the module path of an environment.
#pragma once

#include <string>
#include <vector>

#include "strata/file_tree.hpp"
#include "strata/origin.hpp"

namespace strata::hiera {

/// The folders of the module path, absolute: `modulepath`, or else `modules` of the environment and then of the code directory.
[[nodiscard]] std::vector<std::string> read_module_path(const FileTree& tree, Sources& sources, const std::string& codedir,
                                                        const std::string& environment_folder, const std::string& environment);

}  // namespace strata::hiera
