// SPDX-License-Identifier: Apache-2.0
// Whether the service can do its work.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace strata::service {

/// Looks once a second, by a thread of its own, so that asking never waits. Thread-safe.
class Health {
 public:
  /// A probe returns what is wrong, or nothing.
  using Probe = std::function<std::string()>;
  Health() = default;
  ~Health();
  Health(const Health&) = delete;
  Health& operator=(const Health&) = delete;

  /// Before `start`.
  void add(std::string name, Probe probe) { probes_.push_back({std::move(name), std::move(probe)}); }
  /// What is asked for each time, and so is never old: it must not wait. Before `start`.
  void add_state(std::string name, Probe state) { states_.push_back({std::move(name), std::move(state)}); }
  /// Looks for the first time, and then each second.
  void start();
  /// From now on the service is not ready.
  void drain() noexcept { is_draining_ = true; }

  /// What is wrong, by the names of probes. Empty: the service is ready.
  [[nodiscard]] std::map<std::string, std::string> wrong() const;

 private:
  struct Named {
    std::string name;
    Probe probe;
  };
  void look();

  std::vector<Named> probes_;
  std::vector<Named> states_;
  std::atomic<bool> is_draining_ = false;
  mutable std::mutex mutex_;  ///< Of all below.
  std::condition_variable ended_;
  bool is_over_ = false;
  std::map<std::string, std::string> wrong_;
  std::thread thread_;
};

}  // namespace strata::service
