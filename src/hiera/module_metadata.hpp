// Whether Puppet takes a module for one, by its metadata.json.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "strata/error.hpp"
#include "strata/hiera.hpp"
#include "strata/session.hpp"

namespace strata::hiera {

struct ModuleMetadata {
  bool is_module = true;  ///< False: for Puppet there is no such module, and so it has no data.
  std::optional<Diagnostic> warning = {};
};

/// What the metadata.json in the folder of a module says, read once a Snapshot. A module without the file, or with an empty mapping in it, is one; of
/// others `source`, `author`, `version`, `license` and `dependencies` must be there. Rule: Puppet::Module#load_metadata.
[[nodiscard]] std::shared_ptr<const ModuleMetadata> read_module_metadata(Session& session, const std::string& folder, std::string_view name,
                                                                         Compat compat);

}  // namespace strata::hiera
