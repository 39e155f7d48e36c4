// Making the places that a path names and that are not there.
#pragma once

#include "deckhand/path/expression.hpp"
#include "strata/merge.hpp"

namespace strata::deckhand::detail {

/// Makes what the text of a path says, cut at every dot. Rule: see `write`. `value` is what will stand there: the places that are made for it are
/// its own. Errors: `deckhand.path-write`, `limit.result`, `limit.depth`.
void create(merge::Accumulator& data, const PathExpression& path, const merge::Traced& value, RenderContext& context);

}  // namespace strata::deckhand::detail
