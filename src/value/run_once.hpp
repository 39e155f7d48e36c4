// SPDX-License-Identifier: Apache-2.0
// Work that several threads want and one of them does.
#pragma once

#include <atomic>
#include <mutex>

namespace strata::detail {

/// As std::once_flag with std::call_once, for work that may throw. An exception cannot pass through pthread_once where
/// the library of C++ is linked as an archive and that of C is not: the process is aborted.
class RunOnce {
 public:
  RunOnce() = default;
  RunOnce(const RunOnce&) = delete;
  RunOnce& operator=(const RunOnce&) = delete;
  ~RunOnce() = default;

  /// Does the work unless it was done; waits while another thread does it. After an exception it is not done.
  template <class Work>
  void operator()(const Work& work) {
    if (is_done_.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(mutex_);
    if (is_done_.load(std::memory_order_relaxed)) return;
    work();
    is_done_.store(true, std::memory_order_release);
  }

 private:
  std::mutex mutex_;
  std::atomic<bool> is_done_ = false;
};

}  // namespace strata::detail
