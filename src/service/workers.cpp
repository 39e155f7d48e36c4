#include "service/workers.hpp"

#include <algorithm>
#include <utility>

#include "service/memory.hpp"

namespace strata::service {

Workers::Workers(std::size_t threads, std::size_t longest_queue, std::size_t most_of_one) : longest_(longest_queue), most_of_one_(most_of_one) {
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

bool Workers::post(std::function<void()> work, std::string owner) {
  {
    const std::scoped_lock lock(mutex_);
    if (is_over_ || queue_.size() >= longest_) return false;
    queue_.push_back({std::move(work), std::move(owner)});
  }
  posted_.notify_one();
  return true;
}

std::size_t Workers::waiting() const {
  const std::scoped_lock lock(mutex_);
  return queue_.size();
}

std::deque<Workers::Posted>::iterator Workers::next() {
  if (most_of_one_ == SIZE_MAX) return queue_.begin();
  return std::ranges::find_if(queue_, [this](const Posted& one) {
    const auto found = running_.find(one.owner);
    return found == running_.end() || found->second < most_of_one_;
  });
}

void Workers::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    auto found = queue_.end();
    posted_.wait(lock, [&] { return (found = next()) != queue_.end() || (is_over_ && queue_.empty()); });
    if (found == queue_.end()) return;
    std::string owner;
    {
      const Posted posted = std::move(*found);
      queue_.erase(found);
      owner = posted.owner;
      if (most_of_one_ != SIZE_MAX) ++running_[owner];
      lock.unlock();
      if_memory_allows(posted.work);
    }  // What it holds is let go without the lock.
    lock.lock();
    if (most_of_one_ == SIZE_MAX) continue;
    if (--running_[owner] == 0) running_.erase(owner);
    posted_.notify_all();  // Others of this owner may run now.
  }
}

}  // namespace strata::service
