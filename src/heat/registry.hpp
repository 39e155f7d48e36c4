// SPDX-License-Identifier: Apache-2.0
// The resource registry: loads it as the engine does, into the form in which it is shown.
#pragma once

#include <string_view>

#include "heat/documents.hpp"

namespace strata::heat {

inline constexpr std::string_view kResources = "resources";  ///< The member of a registry for single resources.
inline constexpr std::string_view kBaseUrl = "base_url";     ///< The member that replaces the folder of paths.

/// The empty registry: `{resources: {}}`.
[[nodiscard]] merge::Traced empty_registry(const Documents& documents);

/// Loads entries over a loaded registry: mappings and levels replace and extend, null removes, hooks and restricted
/// actions are checked. `entries` is the section of an environment, of any kind. Errors: `heat.registry` (not a
/// mapping, a key that is not text above a type or null, a value that is not a type name), `heat.hook`,
/// `heat.restricted-action`. Cost: linear, except for `PREFIX*: null`, each of which visits its whole level. Rule:
/// docs/heat/compose.md, "The registry".
[[nodiscard]] merge::Traced load_registry(const Documents& documents, const merge::Traced& registry,
                                          const merge::Traced& entries);

/// Whether a name ends like a template's: `.yaml`, `.template`.
[[nodiscard]] bool is_template_name(std::string_view name) noexcept;

/// Warns about exact entries that a wildcard of the same registry precedes.
void warn_of_wildcards(const Documents& documents, const Value& registry);

}  // namespace strata::heat
