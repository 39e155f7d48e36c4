// SPDX-License-Identifier: Apache-2.0
// The threads that a command lends to the library.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "strata/executor.hpp"

namespace strata::cli {

/// Starts its threads when there is work for them.
class ThreadPool final : public Executor {
 public:
  /// `threads`: with the caller's own; 0: one per core.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool() override;
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  void post(std::function<void()> work) override;
  [[nodiscard]] std::size_t width() const noexcept override { return width_; }

 private:
  void serve();

  std::size_t width_;
  std::mutex mutex_;  ///< Of all below.
  std::condition_variable posted_;
  std::deque<std::function<void()>> work_;
  std::size_t idle_ = 0;
  bool is_over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace strata::cli
