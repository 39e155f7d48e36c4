#include "service/workers.hpp"

#include <utility>

namespace strata::service {

Workers::Workers(std::size_t threads, std::size_t longest_queue) : longest_(longest_queue) {
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { serve(); });
}

Workers::~Workers() {
  {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
  }
  posted_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool Workers::post(std::function<void()> work) {
  {
    const std::scoped_lock lock(mutex_);
    if (is_over_ || queue_.size() >= longest_) return false;
    queue_.push_back(std::move(work));
  }
  posted_.notify_one();
  return true;
}

std::size_t Workers::waiting() const {
  const std::scoped_lock lock(mutex_);
  return queue_.size();
}

void Workers::serve() {
  for (;;) {
    std::function<void()> work;
    {
      std::unique_lock lock(mutex_);
      posted_.wait(lock, [this] { return is_over_ || !queue_.empty(); });
      if (queue_.empty()) return;
      work = std::move(queue_.front());
      queue_.pop_front();
    }
    work();
  }
}

}  // namespace strata::service
