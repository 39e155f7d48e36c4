// SPDX-License-Identifier: Apache-2.0
// Selects rendered documents. Rule: docs/deckhand/render.md, "Filters".
#pragma once

#include <span>

#include "document.hpp"

namespace strata::deckhand {

[[nodiscard]] bool is_wanted(const Document& document, const Filters& filters);

/// Warns `deckhand.unmatched` about each schema, layer and name that no document of the output has. Other filters do
/// not matter.
void warn_of_unmatched(std::span<const Document> documents, const Filters& filters, Diagnostics& diagnostics);

}  // namespace strata::deckhand
