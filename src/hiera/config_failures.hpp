// SPDX-License-Identifier: Apache-2.0
// Errors of a hiera.yaml with the right shape that lookups find.
#pragma once

#include "config.hpp"

namespace strata::hiera {

/// The function of an entry is not known.
[[nodiscard]] WordedError unknown_function(const Sources& sources, const HierarchyEntry& entry);
/// The name of an entry is that of an earlier one, at `first`. `version`: of the configuration.
[[nodiscard]] WordedError defined_twice(const Sources& sources, const HierarchyEntry& entry, Origin first,
                                        int version = 5);

}  // namespace strata::hiera
