// SPDX-License-Identifier: Apache-2.0
// Resources from a file (`--inventory`). Rule: docs/bindings/queries.md.
#pragma once

#include <memory>
#include <string>

#include "service.hpp"

namespace strata::bindings::queries {

/// A list of resources, or a mapping `{resources, types}`, in YAML or JSON (if the file name ends in `.json`). Shared
/// by requests: queries do not change it. Every value has its place in the file. Errors: those of the readers,
/// `query.inventory`, `query.resource`, `query.duplicate`, with places.
[[nodiscard]] std::unique_ptr<QueryService> read_inventory(Sources& sources, SourceId source, const Limits& limits);

}  // namespace strata::bindings::queries
