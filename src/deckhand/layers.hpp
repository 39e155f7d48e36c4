// The order of layers, from the LayeringPolicy. Rule: docs/deckhand/render.md, "Layers".
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "document.hpp"

namespace strata::deckhand {

/// Gives each document that has a layer its rank in the policy's `layerOrder`, highest first. Layers that no document uses do not count.
/// Findings: `deckhand.no-policy`, `deckhand.policy` (its `layerOrder` cannot be used), `deckhand.layer` (of a document, not in the order).
/// Warning: `deckhand.policies` (several; the first counts).
void rank_layers(std::span<Document> documents, Session& session, Findings& findings);

}  // namespace strata::deckhand
