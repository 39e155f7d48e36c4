// One rendering, as its paths, actions and substitutions see it.
#pragma once

#include <cstddef>

#include "deckhand/path/sharing.hpp"
#include "strata/deckhand.hpp"
#include "strata/session.hpp"
#include "strata/stop.hpp"
#include "strata/value.hpp"

namespace strata::deckhand {

/// Where a rendering makes its values, and how much of what input may ask for it has used up. One a rendering; not thread-safe.
struct Rendering {
  Session& session;
  Arena& arena;
  Sharing sharing{arena};
  std::size_t steps = 0;                  ///< Places that paths looked at, bounded by Limits::steps.
  std::size_t nodes = 0;                  ///< Nodes that were written, counted as if written out, bounded by Limits::result.
  std::size_t bytes = 0;                  ///< Of texts that were made, bounded by Limits::input.
  std::size_t searched = 0;               ///< Nodes that were looked at for warnings alone, which stop when it is enough.
  StopCheck stop{session.limits().stop};  ///< Looked at in all loops that documents can make long.
};

}  // namespace strata::deckhand
