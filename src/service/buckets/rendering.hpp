// SPDX-License-Identifier: Apache-2.0
// Renders revisions of the store.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "service/buckets/render_cache.hpp"
#include "service/core.hpp"
#include "store/revisions.hpp"

namespace strata::service::buckets {

struct RenderQuestion {
  std::string revision;                      ///< As the path has it.
  std::string unknown = "RevisionNotFound";  ///< The error if there is no such revision.
  bool cleartext = true;
  bool blames = false;  ///< Add the places of values to the metadata.
};

/// What a rendered revision depends on: equal texts, equal results.
struct RenderKey {
  std::int64_t revision = 0;
  std::int64_t policy = 0;  ///< The number of a LayeringPolicy of another revision. 0: it has one, or there is none.
  bool cleartext = true;
  bool sees_secrets = true;
  std::string birth = {};  ///< Of the revision: numbers begin anew when all revisions are deleted.

  [[nodiscard]] std::string text(const Call& call) const;
};

/// Error `store.sealed-broken` or `store.no-key`, which names the broken documents, if one of these is withheld.
void refuse_withheld(const RenderedRevision& revision, std::span<const Shown* const> wanted);

/// The rendered documents of a revision, from the cache or made now. Those that hold secrets are left out for who may
/// not see them. `is_known` gets the key before anything is read or made; if it returns true, the caller knows the
/// result, and gets null. Errors: Failure, for documents that cannot be rendered too.
[[nodiscard]] std::shared_ptr<const RenderedRevision> rendered_revision(
    const Call& call, RenderCache& cache, const RenderQuestion& question,
    const std::function<bool(const RenderKey&)>& is_known = {});

}  // namespace strata::service::buckets
