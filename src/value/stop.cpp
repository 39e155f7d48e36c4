#include "strata/stop.hpp"

#include "strata/error.hpp"

namespace strata {

void Stop::end_at(Clock::time_point deadline) noexcept {
  const Clock::rep wanted = deadline.time_since_epoch().count();
  Clock::rep known = deadline_.load(std::memory_order_relaxed);
  while (wanted < known && !deadline_.compare_exchange_weak(known, wanted, std::memory_order_relaxed)) {
  }
}

void Stop::fail() const {
  if (is_cancelled()) throw Error("session.cancelled", "the request was cancelled");
  throw Error("limit.time", "the request takes longer than its time limit")
      .hint("ask for less at once, or raise the limit with --limit seconds=NUMBER");
}

}  // namespace strata
