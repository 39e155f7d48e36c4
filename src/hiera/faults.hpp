// SPDX-License-Identifier: Apache-2.0
// Errors that Puppet does not treat as problems of the data.
#pragma once

#include "strata/error.hpp"

namespace strata::hiera {

/// A fault that passes unchanged through all enclosing lookups. Other errors become LookupErrors.
class FaultError : public Error {
 public:
  explicit FaultError(Error error) : Error(std::move(error)) {}
};

}  // namespace strata::hiera
