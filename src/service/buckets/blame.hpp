// SPDX-License-Identifier: Apache-2.0
// Where the values of rendered documents were written.
#pragma once

#include <span>

#include "service/buckets/loaded.hpp"

namespace strata::service::buckets {

/// The metadata of a rendered document with a member `strata`: `[{path, file, line}]`, one for each scalar or empty
/// container of its data. `file` is `BUCKET@REVISION` of the PUT that brought the document, `line` the line in its
/// body.
[[nodiscard]] Value with_blame(const Value& metadata, const Value& data, std::span<const LoadedDocument> documents,
                               const Sources& sources, Arena& arena);

}  // namespace strata::service::buckets
