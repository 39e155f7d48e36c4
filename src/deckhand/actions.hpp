// What a child does to its parent's rendered data. Rule: docs/deckhand/render.md, "Actions".
#pragma once

#include "document.hpp"
#include "expressions.hpp"

namespace strata::deckhand {

/// Runs the actions of a document, in order, on `data`, which begins as the rendered data of `base`. `child`: its own data.
/// Throws Error `deckhand.missing` (nothing at the path of an action), `deckhand.path-syntax` and what writing to a path throws, each at the action
/// and with the base. Warning `deckhand.delete-equal`: the reference would have deleted something else, which is equal.
void run_actions(const Document& document, const Document& base, const merge::Traced& child, merge::Accumulator& data, Expressions& expressions,
                 Rendering& rendering, Compat compat);

}  // namespace strata::deckhand
