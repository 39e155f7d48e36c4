// SPDX-License-Identifier: Apache-2.0
#include "service/workers.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "service/memory.hpp"

namespace strata::service {

namespace {

/// Threads that a pool has at most on top of those that work.
constexpr std::size_t kMostBlockedThreads = 128;

/// The pool that the thread is of.
thread_local Workers* own_pool = nullptr;

}  // namespace

Workers::Waits::Waits() {
  if (own_pool != nullptr) own_pool->begin_to_wait();
}
Workers::Waits::~Waits() {
  if (own_pool != nullptr) own_pool->end_to_wait();
}

Workers::Workers(std::size_t threads, std::size_t longest_queue, std::size_t most_of_one)
    : most_(threads), longest_(longest_queue), most_of_one_(most_of_one) {
  threads_.reserve(most_ + kMostBlockedThreads);
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
  std::unique_lock lock(mutex_);
  if (is_over_ || queue_.size() >= longest_) return false;
  queue_.push_back({std::move(work), std::move(owner)});
  const bool wakes = can_wake_one();
  lock.unlock();  // Who is woken takes it.
  if (wakes) posted_.notify_one();
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

bool Workers::can_wake_one() {
  if (queue_.size() <= called_ || working_ + called_ >= most_ || is_over_) return false;
  if (idle_ > called_) {
    ++called_;
    return true;
  }
  if (threads_.size() >= most_ + kMostBlockedThreads) return false;
  try {
    threads_.emplace_back([this] { serve(); });
  } catch (const std::exception&) {  // The system gives no more threads: the work waits for one of the present ones.
  }
  return false;
}

void Workers::begin_to_wait() {
  std::unique_lock lock(mutex_);
  --working_;
  const bool wakes = can_wake_one();
  lock.unlock();
  if (wakes) posted_.notify_one();
}

void Workers::end_to_wait() {
  const std::scoped_lock lock(mutex_);
  ++working_;  // More than `most_` may work for a moment: what is left is short, and others wait for it.
}

void Workers::serve() {
  own_pool = this;
  std::unique_lock lock(mutex_);
  for (;;) {
    auto found = queue_.end();
    const auto has_work = [&] { return (found = working_ < most_ ? next() : queue_.end()) != queue_.end(); };
    while (!has_work() && !(is_over_ && queue_.empty())) {
      ++idle_;
      posted_.wait(lock);
      --idle_;
      if (called_ > 0) --called_;
    }
    if (found == queue_.end()) return;
    ++working_;
    std::string owner;
    {
      const Posted posted = std::move(*found);
      queue_.erase(found);
      owner = posted.owner;
      if (most_of_one_ != SIZE_MAX) ++running_[owner];
      const bool wakes = can_wake_one();
      lock.unlock();
      if (wakes) posted_.notify_one();
      if_memory_allows(posted.work);
    }  // What it holds is let go without the lock.
    lock.lock();
    --working_;
    if (is_over_) posted_.notify_all();  // Who waits for room may end.
    if (most_of_one_ == SIZE_MAX) continue;
    if (--running_[owner] == 0) running_.erase(owner);
    posted_.notify_all();  // Others of this owner may run now.
  }
}

}  // namespace strata::service
