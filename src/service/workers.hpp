// Threads for work that takes longer than reading a request, with a queue that is bounded.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace strata::service {

class Workers {
 public:
  Workers(std::size_t threads, std::size_t longest_queue);
  /// Finishes the queue.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// False: the queue is full, and nothing is done. `work` throws nothing.
  [[nodiscard]] bool post(std::function<void()> work);
  [[nodiscard]] std::size_t waiting() const;

 private:
  void serve();

  std::size_t longest_;
  mutable std::mutex mutex_;  ///< Of the queue.
  std::condition_variable posted_;
  std::deque<std::function<void()>> queue_;
  bool is_over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace strata::service
