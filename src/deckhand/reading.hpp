// Texts to the documents in them. Rule: docs/deckhand/render.md, "Documents".
#pragma once

#include <memory>
#include <vector>

#include "document.hpp"

namespace strata::deckhand {

/// Reads all streams, whose texts go to the Session, and checks the form of what is in them. What is wrong becomes findings: `yaml.*`, `limit.*`,
/// `deckhand.entry` (an entry of a stream that is no mapping, or an empty one), `deckhand.form`, and, where all of these hold, `deckhand.duplicate`.
/// Warning: `deckhand.repeated-key`. Nodes live in `arena`; `nodes` counts them, with aliases written out. Error `limit.result`.
[[nodiscard]] std::vector<Document> read_documents(Request& request, Session& session, const std::shared_ptr<Arena>& arena, std::size_t& nodes,
                                                   Findings& findings);

}  // namespace strata::deckhand
