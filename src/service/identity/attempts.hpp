// SPDX-License-Identifier: Apache-2.0
// How often an address has shown wrong credentials.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>
#include <unordered_map>

namespace strata::service {

/// Counts failed attempts: at most ten a minute from one address. Thread-safe.
class FailedAttempts {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::size_t kMostAMinute = 10;

  /// How long an address must wait before another attempt is looked at. 0: it need not.
  [[nodiscard]] std::chrono::seconds wait(const std::string& address, Time now) const;
  void add(const std::string& address, Time now);

 private:
  struct Window {
    Time begin;
    std::size_t count = 0;
  };
  mutable std::mutex mutex_;
  std::unordered_map<std::string, Window> windows_;
};

}  // namespace strata::service
