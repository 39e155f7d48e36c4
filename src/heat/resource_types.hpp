// Which implementation a type of resource has, by a combined registry.
#pragma once

#include <string_view>

#include "strata/heat.hpp"
#include "strata/merge.hpp"
#include "strata/session.hpp"

namespace strata::heat {

/// Follows the mappings of a registry, as `compose` shows it, from a type on. `resource`: the name of the resource, whose own mappings come first;
/// empty: none. Entries are tried in the reference's order: longer path first, then plain order of the keys, so that a wildcard `My::*` comes before
/// an exact `My::T`; the built-in type comes last. One that leads nowhere is passed over. Errors: `heat.type` where
/// nothing is left, `heat.type-loop` where mappings lead back to a type that is being looked up, `limit.depth`. Cost: linear in the registry for each
/// type on the way; no type is looked up twice.
[[nodiscard]] ResolvedType resolve_type(const merge::Traced& registry, std::string_view type, std::string_view resource, const BuiltInTypes& built_in,
                                        Session& session);

}  // namespace strata::heat
