// SPDX-License-Identifier: Apache-2.0
// The Deckhand face: buckets of documents, their revisions, and what is rendered from them (docs/service/deckhand.md).
#pragma once

#include <memory>
#include <string>

#include "service/face.hpp"

namespace strata::service::buckets {

/// Answers below `/api/v1.0` and `/versions`. `core` must outlive the face. `project`: of requests that name none.
[[nodiscard]] std::unique_ptr<Face> make_deckhand_face(Core& core, std::string project);
[[nodiscard]] std::unique_ptr<Face> make_deckhand_face(Core& core);

}  // namespace strata::service::buckets
