// While something is made in an arena, what it takes counts as the memory of a piece of work.
#pragma once

#include "strata/value.hpp"

namespace strata {

/// `stop` may be null: nothing is counted.
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
