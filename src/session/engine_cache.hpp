// What an Engine keeps for its Snapshots.
#pragma once

#include "file_cache.hpp"
#include "strata/engine.hpp"

namespace strata {

struct Engine::Cache {
  explicit Cache(std::size_t budget) : files(budget) {}
  detail::FileCache files;
};

}  // namespace strata
