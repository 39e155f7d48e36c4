// SPDX-License-Identifier: Apache-2.0
// Counts the memory of an arena for a piece of work while something is made in it.
#pragma once

#include "strata/value.hpp"

namespace strata {

/// `stop` may be null: nothing is counted then.
class Metered {
 public:
  Metered(Arena& arena, const Stop* stop) noexcept : arena_(arena), before_(arena.meter()) {
    if (stop != nullptr) arena.meter(stop);
  }
  ~Metered() { arena_.meter(before_); }
  Metered(const Metered&) = delete;
  Metered& operator=(const Metered&) = delete;

 private:
  Arena& arena_;
  const Stop* before_;
};

}  // namespace strata
