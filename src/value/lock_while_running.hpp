// SPDX-License-Identifier: Apache-2.0
// Locks that another thread may hold while it works.
#pragma once

#include <chrono>
#include <mutex>

#include "strata/stop.hpp"

namespace strata::detail {

/// Takes a lock that another thread may hold while it reads a file, compiles one or asks a process. `Mutex`: a timed
/// mutex. `stop` may be null. Errors: as Stop::check, if the lock must be waited for.
template <class Mutex>
[[nodiscard]] std::unique_lock<Mutex> lock_while_running(Mutex& mutex, const Stop* stop) {
  if (stop == nullptr) return std::unique_lock(mutex);
  std::unique_lock lock(mutex, std::defer_lock);
  // By the system's clock: the thread sanitizer of GCC 12 does not know how the steady one is waited for. Should it
  // jump, a slice is longer once.
  while (!lock.try_lock_until(std::chrono::system_clock::now() + Stop::kSlice)) stop->check();
  return lock;
}

}  // namespace strata::detail
