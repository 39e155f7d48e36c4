// SPDX-License-Identifier: Apache-2.0
// Parses texts into documents. Rule: docs/deckhand/render.md, "Documents".
#pragma once

#include <memory>
#include <vector>

#include "document.hpp"
#include "value/node_count.hpp"

namespace strata::deckhand {

/// Parses all streams, whose texts move into the Session, and checks the form of their documents. Problems become
/// findings: `yaml.*`, `limit.*`, `deckhand.entry` (an entry of a stream is not a mapping, or is empty),
/// `deckhand.managed` (a wrapper of Pegleg without a document), `deckhand.form`, and, if there are none of these,
/// `deckhand.duplicate`. Warnings: `deckhand.repeated-key`, `deckhand.managed-nested`. Nodes live in `arena`; `nodes`
/// counts them with aliases expanded. Error `limit.result`.
[[nodiscard]] std::vector<Document> read_documents(Request& request, Session& session,
                                                   const std::shared_ptr<Arena>& arena, NodeCount& nodes,
                                                   Findings& findings);

}  // namespace strata::deckhand
