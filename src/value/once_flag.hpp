// SPDX-License-Identifier: Apache-2.0
// Runs a function once, as std::call_once does, and lets it throw.
//
// libstdc++ makes std::call_once of pthread_once, which unwinds with the libgcc of the C library. In a program that is
// linked with another libgcc, as the release is, an exception of the function ends the process. Remove this when
// std::call_once no longer does that. Tested by tests/value/once_flag_test.cpp.
#pragma once

#include <atomic>
#include <cstdint>

namespace strata {

/// Guards a function that runs once. Thread-safe. Four bytes.
class OnceFlag {
 public:
  /// Calls `function` unless a call has returned before. Waits for a call that another thread has begun. If `function`
  /// throws, the exception is passed on, and the next call tries again. `function` must not use the same flag.
  template <class Function>
  void call(const Function& function) {
    while (true) {
      std::uint32_t state = state_.load(std::memory_order_acquire);
      if (state == kDone) return;
      if (state == kRunning) {
        state_.wait(kRunning, std::memory_order_acquire);
        continue;
      }
      if (!state_.compare_exchange_strong(state, kRunning, std::memory_order_acquire)) continue;
      try {
        function();
      } catch (...) {
        finish(kNew);
        throw;
      }
      return finish(kDone);
    }
  }

 private:
  static constexpr std::uint32_t kNew = 0;
  static constexpr std::uint32_t kRunning = 1;
  static constexpr std::uint32_t kDone = 2;

  void finish(std::uint32_t state) noexcept {
    state_.store(state, std::memory_order_release);
    state_.notify_all();
  }

  std::atomic<std::uint32_t> state_ = kNew;
};

}  // namespace strata
