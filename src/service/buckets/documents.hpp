// Listings of the documents of a revision.
#pragma once

#include "service/buckets/rendering.hpp"
#include "service/face.hpp"

namespace strata::service::buckets {

/// `GET /revisions/{revision}/documents`
[[nodiscard]] Response list_documents(const Call& call);
/// `GET /revisions/{revision}/rendered-documents`
[[nodiscard]] Response list_rendered_documents(const Call& call, Renderings& renderings);

}  // namespace strata::service::buckets
