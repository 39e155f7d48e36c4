// SPDX-License-Identifier: Apache-2.0
// Finds the implementation of a resource type in a combined registry.
#pragma once

#include <string_view>

#include "strata/heat.hpp"
#include "strata/merge.hpp"
#include "strata/session.hpp"

namespace strata::heat {

/// Follows the mappings of a registry, as `compose` shows it, from a type. `resource` is the name of a resource whose
/// own mappings come first; empty: none. Entries are tried in the reference's order: longer paths first, then keys in
/// plain order, so that a wildcard `My::*` comes before an exact `My::T`; the built-in type comes last. An entry that
/// leads to no implementation is skipped. Errors: `heat.type` if none is left, `heat.type-loop` if the mappings form a
/// cycle, `limit.depth`. Cost: linear in the registry for each type on the way; no type is looked up twice.
[[nodiscard]] ResolvedType resolve_type(const merge::Traced& registry, std::string_view type, std::string_view resource,
                                        const BuiltInTypes& built_in, Session& session);

}  // namespace strata::heat
