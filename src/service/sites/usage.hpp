// SPDX-License-Identifier: Apache-2.0
// What is asked of sites, counted.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "service/sites/answers.hpp"
#include "service/sites/residents.hpp"

namespace strata::service::sites {

/// What was asked of sites since the service began. Thread-safe.
class Usage {
 public:
  void count_evaluation(std::string_view verb, bool is_answered);
  void count_snapshot(std::chrono::nanoseconds time);
  std::atomic<std::uint64_t> hits = 0;  ///< Answers that were in memory.
  std::atomic<std::uint64_t> misses = 0;
  /// Of the files of all living states. A file that several states share counts for each.
  std::atomic<std::int64_t> snapshot_bytes = 0;
  std::atomic<std::int64_t> states = 0;  ///< That live.
  Answers answers;
  Residents fleets;
  /// What all this may take in memory, with the documents that were read.
  std::size_t budget = std::size_t{1} << 30U;

  /// Drops answers, and then fleets, if there is too much in memory. `documents`: bytes of those. True: it is still too
  /// much.
  bool trim(std::size_t documents);
  /// As lines for Prometheus.
  void append_to(std::string& out, std::size_t documents) const;

 private:
  mutable std::mutex mutex_;  ///< Of all below.
  std::map<std::string, std::array<std::uint64_t, 2>, std::less<>> evaluations_;
  std::uint64_t snapshots_ = 0;
  std::chrono::nanoseconds snapshot_time_{0};
};

/// Counts an evaluation when it ends.
class Counted {
 public:
  Counted(Usage& usage, std::string_view verb) noexcept
      : usage_(usage), verb_(verb), thrown_(std::uncaught_exceptions()) {}
  ~Counted() { usage_.count_evaluation(verb_, std::uncaught_exceptions() == thrown_); }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  Usage& usage_;
  std::string_view verb_;
  int thrown_;
};

}  // namespace strata::service::sites
