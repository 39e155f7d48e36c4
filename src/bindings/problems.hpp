// SPDX-License-Identifier: Apache-2.0
// The problems of one phase of a request, and the building of its errors.
#pragma once

#include <string>
#include <utility>

#include "strata/error.hpp"
#include "value/problems.hpp"

namespace strata::bindings {

// An error that is built in several steps.

/// Sets its primary place.
inline void place_at(Error& error, const Sources& sources, Origin origin) {
  static_cast<void>(std::move(error).at(sources, origin));
}
/// Adds a second place.
inline void add_note(Error& error, const Sources& sources, Origin origin, std::string message) {
  static_cast<void>(std::move(error).note(sources, origin, std::move(message)));
}
/// Sets the hint.
inline void set_hint(Error& error, std::string hint) { static_cast<void>(std::move(error).hint(std::move(hint))); }

}  // namespace strata::bindings
