// SPDX-License-Identifier: Apache-2.0
// Questions in batches: of a site, or of files that come with the question.
#pragma once

#include "service/face.hpp"
#include "service/sites/sites.hpp"

namespace strata::service::api {

/// `{"node" or "facts", "keys"}`: each key has its value or its error.
[[nodiscard]] Response evaluate(const Call& call, sites::Sites& sites);
/// The same for `{"files": {PATH: TEXT}, "options": {…}}` of a dialect. Nothing is stored. Without a node the first is
/// meant.
[[nodiscard]] Response evaluate_files(const Call& call, sites::Sites& sites);

}  // namespace strata::service::api
