// SPDX-License-Identifier: Apache-2.0
// The actions of a child on its parent's rendered data. Rule: docs/deckhand/render.md, "Actions".
#pragma once

#include "document.hpp"
#include "expressions.hpp"

namespace strata::deckhand {

/// Runs the actions of a document, in order, on `data`, which initially are the rendered data of `base`. `child`: its
/// own data. Errors: `deckhand.missing` (nothing at the path of an action), `deckhand.path-syntax` and those of writing
/// to a path, each at the action and with the base. Warning `deckhand.delete-equal`: the reference would have deleted
/// another, equal value.
void run_actions(const Document& document, const Document& base, const merge::Traced& child, merge::Accumulator& data,
                 Expressions& expressions, Rendering& rendering, Compat compat);

}  // namespace strata::deckhand
