// SPDX-License-Identifier: Apache-2.0
// The order of layers, from the LayeringPolicy. Rule: docs/deckhand/render.md, "Layers".
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "document.hpp"

namespace strata::deckhand {

/// Gives each document with a layer its rank in the policy's `layerOrder`, highest first. Layers that no document uses
/// are ignored. Findings: `deckhand.no-policy`, `deckhand.policy` (its `layerOrder` cannot be used), `deckhand.layer`
/// (a document's layer is not in the order). Warning: `deckhand.policies` (there are several; the first one is used).
void rank_layers(std::span<Document> documents, Session& session, Findings& findings);

}  // namespace strata::deckhand
