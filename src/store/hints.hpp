// SPDX-License-Identifier: Apache-2.0
// What processes over one database say to each other.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace strata::store {

/// Short texts from process to process, by a connection of their own. A hint may be lost or come twice, and the process
/// that said it may hear it too: whoever listens looks into the store from time to time as well. Used by one thread,
/// but for `wake`.
class Hints {
 public:
  using Clock = std::chrono::steady_clock;

  Hints() = default;
  Hints(const Hints&) = delete;
  Hints& operator=(const Hints&) = delete;
  virtual ~Hints() = default;

  /// Says `texts`, then waits until something is heard, until `wake`, or until `end`. Returns what was heard. While the
  /// server does not answer, nothing is said and nothing heard: that is no error.
  [[nodiscard]] virtual std::vector<std::string> exchange(const std::vector<std::string>& texts,
                                                          Clock::time_point end) = 0;
  /// Ends a wait, or the next one. By any thread.
  virtual void wake() noexcept = 0;
};

}  // namespace strata::store
