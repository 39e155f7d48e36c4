// SPDX-License-Identifier: Apache-2.0
// The service's log: a JSON object a line.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <variant>

namespace strata::service {

/// Writes lines by a thread of its own: who logs never waits. Lines that a full disk or a slow pipe does not take in
/// time are dropped and counted. Thread-safe.
class Log {
 public:
  /// `path`: empty for standard error. Error `service.log` if it cannot be opened. `first`: lines of other events wait
  /// for the first one of this, or for the end.
  explicit Log(std::string path, std::string first = {});
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  using Content = std::variant<std::string_view, std::int64_t, double, bool>;
  struct Member {
    std::string_view name;  ///< A plain word.
    Content content;
  };
  /// `level`: `info`, `warning`, `error`. Time, level and event come first.
  /// Without memory for it, a line is dropped.
  void write(std::string_view level, std::string_view event, std::initializer_list<Member> members);
  void write(std::string_view level, std::string_view event, const Member* members, std::size_t count);
  /// Opens the file anew: it was moved away.
  void reopen();
  [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }

 private:
  void append(std::string_view level, std::string_view event, const Member* members, std::size_t count);
  void serve();
  void print(std::string_view text);

  std::string path_;
  int descriptor_;
  std::atomic<bool> must_reopen_ = false;
  std::atomic<std::uint64_t> dropped_ = 0;
  std::mutex mutex_;  ///< Of all below.
  std::condition_variable written_;
  std::string waiting_;
  std::string first_;  ///< The event that is waited for.
  std::string held_;   ///< Lines that wait for it.
  bool is_over_ = false;
  std::thread thread_;
};

/// Now, in microseconds since 1970.
[[nodiscard]] std::int64_t utc_now() noexcept;

}  // namespace strata::service
