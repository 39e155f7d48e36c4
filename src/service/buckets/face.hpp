// The Deckhand face: buckets of documents, their revisions, rendered documents. Rules: docs/service/deckhand.md.
#pragma once

#include <memory>

#include "service/face.hpp"

namespace strata::service::buckets {

[[nodiscard]] std::unique_ptr<Face> make_deckhand_face(Core& core);

}  // namespace strata::service::buckets
