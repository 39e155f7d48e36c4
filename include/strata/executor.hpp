// SPDX-License-Identifier: Apache-2.0
// Threads that a program lends to the library.
#pragma once

#include <cstddef>
#include <functional>

namespace strata {

/// Runs work of the library on threads of the program. The library makes no threads of its own, and needs none: what no
/// other thread has begun, the caller's thread does. Results, warnings and errors are the same for every executor, byte
/// for byte. Thread safety: all members may be called from several threads at once.
class Executor {
 public:
  Executor() = default;
  virtual ~Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  /// Runs `work` once, soon, on another thread; or drops it, if there is none to run it. `work` throws nothing. It may
  /// take as long as the request that posts it, and ends when that request ends. The thread needs the stack that
  /// Limits::depth asks for, as the caller's does (strata/stack.hpp).
  virtual void post(std::function<void()> work) = 0;
  /// How many pieces of work can run at once, besides the caller's own thread. 0: everything is dropped.
  [[nodiscard]] virtual std::size_t width() const noexcept = 0;
};

}  // namespace strata
