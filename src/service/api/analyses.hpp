// SPDX-License-Identifier: Apache-2.0
// What edits do that nobody has saved, what is dead, and where to write a value.
#pragma once

#include "service/face.hpp"
#include "service/sites/sites.hpp"

namespace strata::service::api {

[[nodiscard]] Response diff_site(const Call& call, sites::Sites& sites);
[[nodiscard]] Response impact_of(const Call& call, sites::Sites& sites);
[[nodiscard]] Response check_site(const Call& call, sites::Sites& sites);
[[nodiscard]] Response propose_edits(const Call& call, sites::Sites& sites);

}  // namespace strata::service::api
