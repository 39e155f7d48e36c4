// SPDX-License-Identifier: Apache-2.0
// Hooks set outside the files: `--pre-create outer/inner`.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "strata/heat.hpp"
#include "strata/merge.hpp"

namespace strata::heat {

/// Sets hooks in the `resources` of a registry, which is `resource_registry` of `environment`. Missing levels are
/// created. A hook replaces those of its resource. `layer` names the layer of an option in histories. Error
/// `bundle.hook`: a value on the way is not a mapping. Rule: docs/heat/compose.md.
void add_hooks(merge::Accumulator& environment, std::span<const HookOption> hooks, Arena& arena, Sources& sources,
               const std::function<merge::Slot(const std::string& option)>& layer);

}  // namespace strata::heat
