// SPDX-License-Identifier: Apache-2.0
// The caches of an Engine.
#pragma once

#include "file_cache.hpp"
#include "snapshot_state.hpp"
#include "strata/engine.hpp"

namespace strata {

struct Engine::Cache {
  explicit Cache(std::size_t budget) : files(budget) {}
  detail::FileCache files;
  detail::RecentStates states;
};

}  // namespace strata
