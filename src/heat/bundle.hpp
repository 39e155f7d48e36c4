// How a client of the orchestration service merges environments.
#pragma once

#include "strata/strategy.hpp"

namespace strata::heat {

/// The strategy by which the client merges environments: mappings everywhere, all else replaced; null does not replace a mapping; a mapping over
/// text, a number or a list cannot be.
[[nodiscard]] const merge::Strategy& client_merge();

}  // namespace strata::heat
