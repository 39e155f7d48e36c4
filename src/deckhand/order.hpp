// SPDX-License-Identifier: Apache-2.0
// The order in which documents are rendered and printed. Rule: docs/deckhand/render.md, "Order".
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "document.hpp"
#include "replacements.hpp"
#include "strata/limits.hpp"

namespace strata::deckhand {

/// The document on whose result this one is layered: its parent or the parent's replacement, unless this is the
/// replacement. kNone without a parent.
[[nodiscard]] std::size_t base_of(std::span<const Document> documents, std::size_t document);

/// Orders each document after everything that it reads: its base and the sources of its substitutions. Unrelated
/// documents come last, in input order. Each cycle is one finding `deckhand.cycle` with the chain; its documents are
/// not in the order. Cost: linear in documents and substitutions. Sets `is_base` and `is_source`.
[[nodiscard]] std::vector<std::size_t> rendering_order(std::span<Document> documents, const SourceIndex& index,
                                                       Session& session, Findings& findings);

}  // namespace strata::deckhand
