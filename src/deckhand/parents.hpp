// SPDX-License-Identifier: Apache-2.0
// Which document is the parent of which. Rule: docs/deckhand/render.md, "Parents".
#pragma once

#include <span>

#include "document.hpp"
#include "strata/limits.hpp"

namespace strata::deckhand {

/// Sets `parent` of each document that selects one: the document in the nearest layer above that has all labels of its
/// selector. Findings: `deckhand.parent` (a document with those labels has another schema, or is not in a layer above),
/// `deckhand.parents` (there are several candidates). Warning: `deckhand.no-parent`: no document has those labels, so
/// the actions do not run. Cost: linear in labels and selectors; for selectors with several labels, in the documents
/// that have the rarest of them.
void select_parents(std::span<Document> documents, Session& session, Findings& findings);

}  // namespace strata::deckhand
