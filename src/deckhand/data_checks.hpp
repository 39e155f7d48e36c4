// The data of rendered documents against their schemas (D002). Rule: docs/deckhand/render.md, "Checks of data".
#pragma once

#include <span>
#include <vector>

#include "document.hpp"
#include "renderer.hpp"

namespace strata::deckhand {

/// Checks all concrete documents that could be rendered, against the DataSchemas among the documents and those that Deckhand brings.
/// Findings: `deckhand.data` with check D002, and a wrong schema once, at the first document that uses it. What is or may be secret is not shown.
/// Warning: `deckhand.data-schema`: the data of a DataSchema, which nothing is checked against, are no schema.
void check_data(std::span<const Document> documents, std::span<const std::size_t> order, const std::vector<Rendered>& rendered, Session& session,
                Findings& findings);

}  // namespace strata::deckhand
