// SPDX-License-Identifier: Apache-2.0
// One rendering, for paths, actions and substitutions.
#pragma once

#include <cstddef>

#include "deckhand/path/sharing.hpp"
#include "strata/deckhand.hpp"
#include "strata/session.hpp"
#include "strata/stop.hpp"
#include "strata/value.hpp"

namespace strata::deckhand {

/// The arena of a rendering, and how much of its limits it has used. One per rendering; not thread-safe.
struct Rendering {
  Session& session;
  Arena& arena;
  Sharing sharing{arena};
  std::size_t steps = 0;                  ///< Places that paths have visited, bounded by Limits::steps.
  std::size_t nodes = 0;                  ///< Nodes written, counted as if written out, bounded by Limits::result.
  std::size_t bytes = 0;                  ///< Bytes of texts made, bounded by Limits::input.
  std::size_t searched = 0;               ///< Nodes visited only for warnings, which stop at a bound.
  StopCheck stop{session.limits().stop};  ///< Checked in all loops that documents can make long.
};

}  // namespace strata::deckhand
