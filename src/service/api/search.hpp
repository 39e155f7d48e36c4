// SPDX-License-Identifier: Apache-2.0
// Where a text stands: in files, in names of keys, in values.
#pragma once

#include "service/face.hpp"
#include "service/sites/sites.hpp"

namespace strata::service::api {

[[nodiscard]] Response search_site(const Call& call, sites::Sites& sites);

}  // namespace strata::service::api
