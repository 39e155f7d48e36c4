// SPDX-License-Identifier: Apache-2.0
// Checks the data of rendered documents against their schemas (D002). Rule: docs/deckhand/render.md, "Checks of data".
#pragma once

#include <span>
#include <vector>

#include "document.hpp"
#include "renderer.hpp"

namespace strata::deckhand {

/// Checks all concrete documents that could be rendered, against the DataSchemas among the documents and Deckhand's own
/// schemas. Findings: `deckhand.data` with check D002; an invalid schema once, at the first document that uses it.
/// Values that are or may be secret are not shown. Warning: `deckhand.data-schema`: the data of an unused DataSchema
/// are not a schema.
void check_data(std::span<const Document> documents, std::span<const std::size_t> order,
                const std::vector<Rendered>& rendered, const Request& request, Session& session, Findings& findings);

}  // namespace strata::deckhand
