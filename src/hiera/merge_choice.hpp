// SPDX-License-Identifier: Apache-2.0
// The merge behaviour of a lookup, and its form in explanations.
#pragma once

#include "strata/value.hpp"
#include "strategies/strategies.hpp"

namespace strata::hiera {

struct MergeChoice {
  MergeOptions options;
  Value given;    ///< As the user wrote it. Absent for `first`.
  Origin option;  ///< Where it is chosen, by its key. Nowhere: it is the default. Known only with a history.
};

}  // namespace strata::hiera
