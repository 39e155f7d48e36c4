// In which order documents are rendered and printed. Rule: docs/deckhand/render.md, "Order".
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "document.hpp"
#include "replacements.hpp"
#include "strata/limits.hpp"

namespace strata::deckhand {

/// The document on whose result this one is layered: its parent or what replaces that, unless this is the replacement; kNone without a parent.
[[nodiscard]] std::size_t base_of(std::span<const Document> documents, std::size_t document);

/// Each document after all that it is made of: what its base and its substitutions read. Documents that nothing ties to others come last, in input
/// order. Where documents lead back to themselves there is a finding `deckhand.cycle` for each such ring, with the chain, and the order lacks them.
/// Cost: linear in documents and substitutions.
/// Sets `is_base` and `is_source`.
[[nodiscard]] std::vector<std::size_t> rendering_order(std::span<Document> documents, const SourceIndex& index, Session& session, Findings& findings);

}  // namespace strata::deckhand
