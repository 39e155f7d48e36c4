// SPDX-License-Identifier: Apache-2.0
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
  /// While one lives, its thread waits for somebody else, for a disk or a database: if it is one of a pool, another
  /// thread works in its place.
  class Waits {
   public:
    Waits();
    ~Waits();
    Waits(const Waits&) = delete;
    Waits& operator=(const Waits&) = delete;
  };

  /// `threads`: that work at once; those that wait (`Waits`) come on top. `most_of_one`: pieces of work of one owner
  /// that run at once; its others wait while those of other owners run.
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
  void begin_to_wait();
  void end_to_wait();
  /// Whether somebody idle is to be woken for what is next; where nobody is, a thread is added. With the lock.
  [[nodiscard]] bool can_wake_one();
  /// The first in the queue that may run now.
  [[nodiscard]] std::deque<Posted>::iterator next();

  std::size_t most_;  ///< That work at once.
  std::size_t longest_;
  std::size_t most_of_one_;
  mutable std::mutex mutex_;  ///< Of all below.
  std::condition_variable posted_;
  std::deque<Posted> queue_;
  std::unordered_map<std::string, std::size_t> running_;  ///< Pieces of work by owner, where they are limited.
  std::size_t working_ = 0;
  std::size_t idle_ = 0;    ///< Threads that wait for work.
  std::size_t called_ = 0;  ///< Idle ones that were woken, and have not come yet.
  bool is_over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace strata::service
