// SPDX-License-Identifier: Apache-2.0
// What is done to a whole store: other keys, old revisions, texts that nobody needs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "store/store.hpp"

namespace strata::store {

/// Puts all sealed values that are under other keys under `to`. The store needs the old keys. It works in batches, so
/// that others can use a store in PostgreSQL meanwhile; what was done stays done if it ends early. Returns how many it
/// changed. Errors: `store.no-key`, `store.sealed-broken`.
std::size_t rekey(Store& store, const Key& to);

struct Pruned {
  std::int64_t revisions = 0;
  std::int64_t documents = 0;
  std::int64_t blobs = 0;
};
/// Removes all but the last `keep` (at least 1) revisions of each project, what only they need, and all texts that
/// nobody refers to.
Pruned prune(Store& store, std::int64_t keep);

}  // namespace strata::store
