// SPDX-License-Identifier: Apache-2.0
// Errors that several parts of the store make.
#pragma once

#include <string>
#include <string_view>

#include "strata/error.hpp"

namespace strata::store {

/// `store.contended`: others are in the way; the same transaction may succeed later.
class Contended : public Error {
 public:
  explicit Contended(const std::string& why);
};

/// `store.unavailable`: the connection to the server was lost, so that nothing of the transaction is kept.
class ConnectionLost : public Error {
 public:
  explicit ConnectionLost(const std::string& why);
};

/// `store.deadline`.
[[nodiscard]] Error deadline_passed();
/// `store.full`.
[[nodiscard]] Error store_full(std::string_view why);
/// `store.failed`: a statement after one that failed.
[[nodiscard]] Error transaction_over();

}  // namespace strata::store
