// SPDX-License-Identifier: Apache-2.0
// The handlers of the Deckhand face.
#pragma once

#include <memory>

#include "service/core.hpp"

namespace strata::service::buckets {

class RenderCache;

/// PUT of the documents of a bucket.
[[nodiscard]] Response put_documents(const Call& call);
/// The documents of a revision, as they were put.
[[nodiscard]] Response list_documents(const Call& call);
/// The same, rendered.
[[nodiscard]] Response list_rendered(const Call& call, RenderCache& cache);

[[nodiscard]] Response list_revisions(const Call& call);
[[nodiscard]] Response show_revision(const Call& call);
/// Removes all revisions.
[[nodiscard]] Response delete_revisions(const Call& call, RenderCache& cache);
[[nodiscard]] Response roll_back(const Call& call);

[[nodiscard]] Response diff_revisions(const Call& call);
[[nodiscard]] Response deepdiff_revisions(const Call& call, RenderCache& cache);

[[nodiscard]] Response create_tag(const Call& call);
[[nodiscard]] Response show_tag(const Call& call);
[[nodiscard]] Response list_tags(const Call& call);
[[nodiscard]] Response delete_tag(const Call& call);
[[nodiscard]] Response delete_tags(const Call& call);

[[nodiscard]] Response create_validation(const Call& call);
[[nodiscard]] Response list_validations(const Call& call);
[[nodiscard]] Response list_validation_details(const Call& call);
[[nodiscard]] Response list_validation_entries(const Call& call);
[[nodiscard]] Response show_validation_entry(const Call& call);

}  // namespace strata::service::buckets
