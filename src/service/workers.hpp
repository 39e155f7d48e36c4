// Threads for work that takes longer than reading a request, with a queue that is bounded.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace strata::service {

class Workers {
 public:
  /// `most_of_one`: pieces of work of one owner that run at once; its others wait while those of other owners run.
  Workers(std::size_t threads, std::size_t longest_queue, std::size_t most_of_one = SIZE_MAX);
  /// Finishes the queue.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// False: the queue is full, and nothing is done. `work` throws nothing but std::bad_alloc, which ends it.
  [[nodiscard]] bool post(std::function<void()> work, std::string owner = {});
  [[nodiscard]] std::size_t waiting() const;

 private:
  struct Posted {
    std::function<void()> work;
    std::string owner;
  };
  void serve();
  /// The first in the queue that may run now.
  [[nodiscard]] std::deque<Posted>::iterator next();

  std::size_t longest_;
  std::size_t most_of_one_;
  mutable std::mutex mutex_;  ///< Of all below.
  std::condition_variable posted_;
  std::deque<Posted> queue_;
  std::unordered_map<std::string, std::size_t> running_;  ///< Pieces of work by owner, where they are limited.
  bool is_over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace strata::service
