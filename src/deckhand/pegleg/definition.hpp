// SPDX-License-Identifier: Apache-2.0
// site-definition.yaml: the type of a site, and its repositories.
#pragma once

#include <string>
#include <vector>

#include "strata/error.hpp"
#include "strata/pegleg.hpp"

namespace strata::deckhand {

/// The content of a definition.
struct SiteDefinition {
  std::string type;
  std::vector<std::string> repositories;  ///< Names, in order, without `site`: that is the repository itself.
};

/// Something wrong in a definition.
struct DefinitionProblem {
  Origin origin;  ///< Absent: the file as a whole.
  std::string message;
  std::string hint;
};

/// Reads a definition. `problems` receives everything that is wrong; the result is usable if that is nothing. Errors:
/// those of reading.
[[nodiscard]] SiteDefinition read_definition(Sources& sources, SourceId source, const Limits& limits,
                                             std::vector<DefinitionProblem>& problems);

/// The path of the definition of a site.
[[nodiscard]] std::string definition_path(const std::string& repository, std::string_view site);

/// The names of the folders in `site`, by name.
[[nodiscard]] std::vector<std::string> site_folders(const std::string& repository, const FileTree& tree);

/// A path in a repository, where `.` is the working folder.
[[nodiscard]] std::string path_in_repository(const std::string& repository, std::string_view below);

}  // namespace strata::deckhand
