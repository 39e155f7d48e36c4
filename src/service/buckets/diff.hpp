// Differences of revisions: bucket by bucket, and document by document.
#pragma once

#include "service/buckets/rendering.hpp"
#include "service/face.hpp"

namespace strata::service::buckets {

/// `GET /revisions/{a}/diff/{b}`: what happened to each bucket.
[[nodiscard]] Response diff_revisions(const Call& call);
/// `GET /revisions/{a}/deepdiff/{b}`: also what changed in the rendered documents of the buckets that were modified.
[[nodiscard]] Response deep_diff_revisions(const Call& call, Renderings& renderings);

}  // namespace strata::service::buckets
