// SPDX-License-Identifier: Apache-2.0
// The results of all nodes of a site, one after the other.
#pragma once

#include "service/face.hpp"
#include "service/sites/sites.hpp"

namespace strata::service::api {

/// JSON lines, node after node in byte order: `{"node", "value", "etag"}`, or `{"node", "error"}` for one that fails.
/// `?nodes=` names some, `?after=` goes on behind one, of the generation that `?generation=` names as the header
/// `Strata-Generation` did. Errors: `site.generation` if that is not the present one, or one of another process.
[[nodiscard]] Response snapshot_site(const Call& call, sites::Sites& sites);

}  // namespace strata::service::api
