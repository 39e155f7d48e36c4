// SPDX-License-Identifier: Apache-2.0
#include "thread_pool.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace strata::cli {

ThreadPool::ThreadPool(unsigned threads)
    : width_((threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency())) - 1U) {}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    work_.clear();
  }
  posted_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::post(std::function<void()> work) {
  std::unique_lock lock(mutex_);
  if (is_over_) return;
  work_.push_back(std::move(work));
  if (idle_ < work_.size() && threads_.size() < width_) {
    try {
      threads_.emplace_back([this] { serve(); });
    } catch (const std::system_error&) {
      // There can be no more: those that there are do the work, or the caller.
      if (threads_.empty()) work_.clear();
    }
  }
  lock.unlock();
  posted_.notify_one();
}

void ThreadPool::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    posted_.wait(lock, [this] { return is_over_ || !work_.empty(); });
    --idle_;
    if (is_over_) return;
    const std::function<void()> work = std::move(work_.front());
    work_.pop_front();
    lock.unlock();
    work();
    lock.lock();
  }
}

}  // namespace strata::cli
