// What the Deckhand face writes: the documents of a bucket, and earlier states of all buckets.
#pragma once

#include "service/face.hpp"

namespace strata::service::buckets {

/// `PUT /buckets/{bucket}/documents`: the whole new content of a bucket. Errors: Refused, deckhand::Refused.
[[nodiscard]] Response put_documents(const Call& call);
/// `POST /rollback/{revision}`: a new revision with the documents of an earlier one; 0 has none. Errors: Refused.
[[nodiscard]] Response roll_back(const Call& call);
/// `DELETE /revisions`
[[nodiscard]] Response delete_revisions(const Call& call);

}  // namespace strata::service::buckets
