// Hooks that are asked for beside all files: `--pre-create outer/inner`.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "strata/heat.hpp"
#include "strata/merge.hpp"

namespace strata::heat {

/// Sets hooks in the `resources` of a registry. `environment` holds it under `resource_registry`; what is missing on the way is made. A hook replaces
/// those that its resource has. `layer` names the histories' layer of an option.
/// Error `bundle.hook`: something that is no mapping is in the way. Rule: docs/heat/compose.md.
void add_hooks(merge::Accumulator& environment, std::span<const HookOption> hooks, Arena& arena, Sources& sources,
               const std::function<merge::Slot(const std::string& option)>& layer);

}  // namespace strata::heat
