// SPDX-License-Identifier: Apache-2.0
#include "lent_threads.hpp"

#include <condition_variable>
#include <mutex>
#include <utility>

#include "strata/stack.hpp"

namespace strata::detail {

struct LentThreads::Shared {
  std::function<void()> work;
  std::size_t levels = 0;
  std::mutex mutex;  ///< Of all below.
  std::condition_variable idle;
  std::size_t posted = 0;  ///< Calls that wait or run.
  std::size_t running = 0;
  bool is_over = false;
};

/// May outlive the LentThreads, in the executor's list. Copies are one call.
struct LentThreads::Call {
  explicit Call(std::shared_ptr<Shared> its_shared) : shared(std::move(its_shared)), count(shared.get(), &Call::end) {}

  void operator()() const {
    if (deepest_on_stack() < shared->levels) return;
    {
      const std::lock_guard lock(shared->mutex);
      if (shared->is_over) return;
      ++shared->running;
    }
    shared->work();
    const std::lock_guard lock(shared->mutex);
    --shared->running;
    shared->idle.notify_all();
  }

  /// Also of a call that the executor drops.
  static void end(Shared* shared) noexcept {
    const std::lock_guard lock(shared->mutex);
    --shared->posted;
  }

  std::shared_ptr<Shared> shared;
  std::shared_ptr<Shared> count;  ///< Owns nothing but the count.
};

LentThreads::LentThreads(std::shared_ptr<Executor> executor, std::size_t levels, std::function<void()> work)
    : executor_(std::move(executor)),
      width_(executor_ == nullptr ? 0 : executor_->width()),
      shared_(std::make_shared<Shared>()) {
  shared_->work = std::move(work);
  shared_->levels = levels;
}

LentThreads::~LentThreads() {
  std::unique_lock lock(shared_->mutex);
  shared_->is_over = true;
  shared_->idle.wait(lock, [this] { return shared_->running == 0; });
}

void LentThreads::call() {
  {
    const std::lock_guard lock(shared_->mutex);
    if (shared_->posted >= width_) return;
    ++shared_->posted;
  }
  executor_->post(Call(shared_));
}

}  // namespace strata::detail
