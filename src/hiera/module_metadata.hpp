// SPDX-License-Identifier: Apache-2.0
// Whether Puppet accepts a module, by its metadata.json, and what gives it data.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "data_provider.hpp"
#include "strata/error.hpp"
#include "strata/hiera.hpp"
#include "strata/session.hpp"

namespace strata::hiera {

struct ModuleMetadata {
  bool is_module = true;  ///< False: Puppet ignores the module, so it has no data.
  std::optional<Diagnostic> warning = {};
  std::optional<DataProvider> data_provider = {};
};

/// Reads the metadata.json in the folder of a module, once per Snapshot. A module without the file, or with an empty
/// mapping in it, is accepted; all others need `source`, `author`, `version`, `license` and `dependencies`. Rule:
/// Puppet::Module#load_metadata.
[[nodiscard]] std::shared_ptr<const ModuleMetadata> read_module_metadata(Session& session, const std::string& folder,
                                                                         std::string_view name, Compat compat);

}  // namespace strata::hiera
