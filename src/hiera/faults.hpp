// Errors that Puppet does not take for problems of the data.
#pragma once

#include "strata/error.hpp"

namespace strata::hiera {

/// A fault that leaves all enclosing lookups as it is, where other errors become LookupErrors.
class FaultError : public Error {
 public:
  explicit FaultError(Error error) : Error(std::move(error)) {}
};

}  // namespace strata::hiera
