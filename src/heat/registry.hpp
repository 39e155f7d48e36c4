// The resource registry: loading it, as the engine does, into the form in which it is shown.
#pragma once

#include "heat/documents.hpp"

namespace strata::heat {

/// The registry that nothing was loaded into: `{resources: {}}`.
[[nodiscard]] merge::Traced empty_registry(const Documents& documents);

/// Loads entries over a registry that was loaded before: mappings and levels replace and extend, null removes, hooks and restricted actions are
/// checked. `entries`: the section of an environment, of any kind.
/// Errors: `heat.registry` (no mapping, a key that is no text, a value that names no type), `heat.hook`, `heat.restricted-action`.
/// Cost: linear, but for `PREFIX*: null`, each of which looks at its whole level. Rule: docs/heat/compose.md, "The registry".
[[nodiscard]] merge::Traced load_registry(const Documents& documents, const merge::Traced& registry, const merge::Traced& entries);

/// Whether a name ends as those of templates do: `.yaml`, `.template`.
[[nodiscard]] bool is_template_name(std::string_view name) noexcept;

/// Warns of exact entries that a wildcard of the same registry goes before.
void warn_of_wildcards(const Documents& documents, const Value& registry);

}  // namespace strata::heat
