// SPDX-License-Identifier: Apache-2.0
// Threads for tests of what a program lends to the library.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "strata/executor.hpp"

namespace strata::testing {

/// `width` threads that take work in the order in which it was posted.
class Threads final : public Executor {
 public:
  explicit Threads(std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) threads_.emplace_back([this] { serve(); });
  }
  ~Threads() override {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    posted_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  void post(std::function<void()> work) override {
    {
      const std::lock_guard lock(mutex_);
      work_.push_back(std::move(work));
    }
    posted_.notify_one();
  }
  [[nodiscard]] std::size_t width() const noexcept override { return threads_.size(); }

 private:
  void serve() {
    for (;;) {
      std::function<void()> work;
      {
        std::unique_lock lock(mutex_);
        posted_.wait(lock, [this] { return is_over_ || !work_.empty(); });
        if (is_over_) return;
        work = std::move(work_.front());
        work_.pop_front();
      }
      work();
    }
  }

  std::mutex mutex_;
  std::condition_variable posted_;
  std::deque<std::function<void()>> work_;
  bool is_over_ = false;
  std::vector<std::thread> threads_;
};

/// Says that it has threads, and runs nothing: all is left to the caller.
class NoThreads final : public Executor {
 public:
  void post(std::function<void()> work) override { (void)work; }
  [[nodiscard]] std::size_t width() const noexcept override { return 3; }
};

/// Runs work in the middle of `post`.
class AtOnce final : public Executor {
 public:
  void post(std::function<void()> work) override { work(); }
  [[nodiscard]] std::size_t width() const noexcept override { return 1; }
};

}  // namespace strata::testing
