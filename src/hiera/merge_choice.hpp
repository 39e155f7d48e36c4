// How the values of a lookup meet, with what explanations say of it.
#pragma once

#include "strata/value.hpp"
#include "strategies/strategies.hpp"

namespace strata::hiera {

struct MergeChoice {
  MergeOptions options;
  Value given;  ///< As the user wrote it; absent for `first`.
};

}  // namespace strata::hiera
