// SPDX-License-Identifier: Apache-2.0
// Reads `.strata.yaml`.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "strata/workspace.hpp"

namespace strata::workspace {

/// Keys of a project that are no options of its verb.
inline constexpr std::array<std::string_view, 3> kOwnKeys{"verb", "args", "fleet"};

/// The projects of a file. `path`: absolute. Errors: as find_projects.
[[nodiscard]] std::vector<Project> read_configuration(std::string text, const std::string& path, const Search& search);

}  // namespace strata::workspace
