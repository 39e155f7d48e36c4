// SPDX-License-Identifier: Apache-2.0
// What an error means for a key, for callers that decide by it.
#pragma once

#include <cstdint>

#include "strata/error.hpp"

namespace strata::bindings {

enum class Fault : std::uint8_t {
  other,
  absent,       ///< Nothing is bound, or a producer produced nothing: `bindings.not-bound`, `bindings.no-value`.
  loop,         ///< A key needs its own value. Depends on where the loop was entered. `bindings.loop`
  composition,  ///< Its statements conflict, whatever producers return: `bindings.abstract`, `bindings.conflict`.
};

/// Errors are passed on and rebuilt on their way; only the code stays the same.
[[nodiscard]] Fault fault_of(const Error& error) noexcept;

}  // namespace strata::bindings
