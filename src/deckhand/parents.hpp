// Which document is the parent of which. Rule: docs/deckhand/render.md, "Parents".
#pragma once

#include <span>

#include "document.hpp"
#include "strata/limits.hpp"

namespace strata::deckhand {

/// Sets `parent` of each document that selects one: the document with all labels of its selector, in the nearest layer above.
/// Findings: `deckhand.parent` (a document with those labels has another schema, or is not in a layer above) and `deckhand.parents` (several are
/// left). Warning: `deckhand.no-parent`: nothing has those labels, so that the actions do not run. Cost: linear in labels and selectors; for
/// selectors of several labels, in the documents that carry the rarest of them.
void select_parents(std::span<Document> documents, Session& session, Findings& findings);

}  // namespace strata::deckhand
