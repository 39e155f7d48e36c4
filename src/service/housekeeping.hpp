// What is removed from the store after its time.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

namespace strata::store {
class Store;
}  // namespace strata::store

namespace strata::service {

class Log;

/// Once an hour, by a thread of its own: answers to requests that may be repeated (a day), changes (a week), the audit (400 days). Of several
/// processes over one store, one does it at a time.
class Housekeeping {
 public:
  Housekeeping(store::Store& store, Log& log);
  ~Housekeeping();
  Housekeeping(const Housekeeping&) = delete;
  Housekeeping& operator=(const Housekeeping&) = delete;

 private:
  void clean() noexcept;

  store::Store& store_;
  Log& log_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace strata::service
