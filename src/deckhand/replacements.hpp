// SPDX-License-Identifier: Apache-2.0
// Which document replaces which, and which one a substitution reads. Rule: docs/deckhand/render.md, "Replacement".
#pragma once

#include <span>

#include "document.hpp"
#include "strata/limits.hpp"

namespace strata::deckhand {

/// The document for a schema and name (`source_key`).
using SourceIndex = DocumentMap<std::size_t>;

/// Sets `replaced_by`. Findings: `deckhand.replacement`. Warning: `deckhand.replacements`: one document is replaced in
/// two layers.
void find_replacements(std::span<Document> documents, Session& session, Findings& findings);

/// The possible sources of substitutions: concrete documents, or their replacements.
[[nodiscard]] SourceIndex index_sources(std::span<const Document> documents);

}  // namespace strata::deckhand
