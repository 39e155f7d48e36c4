// SPDX-License-Identifier: Apache-2.0
// Creates missing places of a path.
#pragma once

#include "deckhand/path/expression.hpp"
#include "strata/merge.hpp"

namespace strata::deckhand::detail {

/// Creates the places of a path, whose text is split at every dot. Rule: see `write`. `value` is what will be written;
/// it becomes the history of the new places. Errors: `deckhand.path-write`, `limit.result`, `limit.depth`.
void create(merge::Accumulator& data, const PathExpression& path, const merge::Traced& value, Rendering& rendering);

}  // namespace strata::deckhand::detail
