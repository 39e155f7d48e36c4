// SPDX-License-Identifier: Apache-2.0
// How long a thread reads texts to values.
#pragma once

#include <chrono>

namespace strata {

/// Counts for its thread while it exists. One inside another counts once.
class ParseTimer {
 public:
  ParseTimer() noexcept;
  ~ParseTimer();
  ParseTimer(const ParseTimer&) = delete;
  ParseTimer& operator=(const ParseTimer&) = delete;

  /// What was counted for this thread since `reset`.
  [[nodiscard]] static std::chrono::nanoseconds spent() noexcept;
  static void reset() noexcept;

 private:
  bool is_outer_;
  std::chrono::steady_clock::time_point began_;
};

}  // namespace strata
