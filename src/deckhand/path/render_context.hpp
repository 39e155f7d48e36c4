// What all steps of one rendering share.
#pragma once

#include <cstddef>

#include "strata/deckhand.hpp"
#include "strata/limits.hpp"
#include "strata/merge.hpp"
#include "strata/stop.hpp"
#include "strata/value.hpp"

namespace strata::deckhand {

/// Where a rendering makes its values, and how much of what input may ask for it has used up. One a rendering; not thread-safe.
struct RenderContext {
  Arena& arena;
  const Limits& limits;
  merge::Recorder& recorder;
  std::size_t steps = 0;        ///< Places that paths looked at, bounded by Limits::steps.
  std::size_t nodes = 0;        ///< Nodes that were written, counted as if written out, bounded by Limits::result.
  std::size_t bytes = 0;        ///< Of texts that were made, bounded by Limits::input.
  StopCheck stop{limits.stop};  ///< Looked at in all loops that documents can make long.
};

}  // namespace strata::deckhand
