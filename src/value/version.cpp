// SPDX-License-Identifier: Apache-2.0
#include "strata/version.hpp"

namespace strata {

std::string_view version() noexcept { return STRATA_VERSION; }

}  // namespace strata
