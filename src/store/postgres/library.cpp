// SPDX-License-Identifier: Apache-2.0
#include "library.hpp"

#include <memory>

#include "strata/error.hpp"

namespace strata::store {

const Pq& Pq::loaded() {
  static const Pq* const pq = [] {
    auto made = std::unique_ptr<Pq>(new Pq);
    return made->is_complete() ? made.release() : nullptr;
  }();
  if (pq == nullptr) {
    throw Error("store.unavailable", "libpq.so.5 is not installed, or older than 14: a store in PostgreSQL needs it")
        .hint("install it (Debian: libpq5)");
  }
  return *pq;
}

}  // namespace strata::store
