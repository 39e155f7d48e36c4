// SPDX-License-Identifier: Apache-2.0
// What is looked after in the store: what is removed after its time, and whether what is sealed can be opened.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

namespace strata::store {
class Store;
}  // namespace strata::store

namespace strata::service {

class Log;

/// Once an hour, by a thread of its own: answers to requests that may be repeated (a day), changes (a week), the audit
/// (400 days). Of several processes over one store, one does it at a time. At first it warns of values that are sealed
/// under keys which are not there.
class Housekeeping {
 public:
  Housekeeping(store::Store& store, Log& log);
  ~Housekeeping();
  Housekeeping(const Housekeeping&) = delete;
  Housekeeping& operator=(const Housekeeping&) = delete;

 private:
  void look_at_keys() noexcept;
  void clean() noexcept;

  store::Store& store_;
  Log& log_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace strata::service
