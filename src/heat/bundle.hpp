// SPDX-License-Identifier: Apache-2.0
// How a client of the orchestration service merges environments.
#pragma once

#include "strata/strategy.hpp"

namespace strata::heat {

/// The strategy with which the client merges environments: mappings are merged, everything else is replaced. Null does
/// not replace a mapping. A mapping over a text, number or list is an error.
[[nodiscard]] const merge::Strategy& client_merge();

}  // namespace strata::heat
