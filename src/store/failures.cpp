// SPDX-License-Identifier: Apache-2.0
#include "failures.hpp"

#include <fmt/format.h>

namespace strata::store {

Contended::Contended(const std::string& why)
    : Error("store.contended", fmt::format("others write the same rows of the store: {}", why)) {
  hint("try again");
}

ConnectionLost::ConnectionLost(const std::string& why)
    : Error("store.unavailable", fmt::format("the database does not answer: {}", why)) {
  hint("try again when it does");
}

Error deadline_passed() {
  return Error("store.deadline", "the deadline of the request passed while it used the store");
}

Error store_full(std::string_view why) {
  return Error("store.full", fmt::format("the store has no space left: {}", why))
      .hint("free some space; reading goes on");
}

Error transaction_over() {
  return Error("store.failed", "a transaction was used after one of its statements had failed");
}

}  // namespace strata::store
