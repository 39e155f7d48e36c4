// SPDX-License-Identifier: Apache-2.0
// One piece of work on the threads of an executor.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "strata/executor.hpp"

namespace strata::detail {

/// Runs the same work on as many threads as an executor lends. Used by one thread; the work may call nothing of this.
class LentThreads {
 public:
  /// `executor`: null for none. `levels`: how deep values may nest that the work reads, merges or writes; a thread
  /// whose stack does not hold them does nothing. `work` throws nothing, and ends when there is nothing to do for it.
  LentThreads(std::shared_ptr<Executor> executor, std::size_t levels, std::function<void()> work);
  /// Waits until no thread does the work. A call that has not begun never begins.
  ~LentThreads();
  LentThreads(const LentThreads&) = delete;
  LentThreads& operator=(const LentThreads&) = delete;

  /// There is work for another thread: posts a call, unless the executor's width is reached. Hold no lock that the work
  /// takes.
  void call();
  [[nodiscard]] std::size_t width() const noexcept { return width_; }

 private:
  struct Shared;
  struct Call;
  std::shared_ptr<Executor> executor_;
  std::size_t width_;
  std::shared_ptr<Shared> shared_;
};

}  // namespace strata::detail
