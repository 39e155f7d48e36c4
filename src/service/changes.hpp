// SPDX-License-Identifier: Apache-2.0
// What was changed, by this process and by others over the same store.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "store/records.hpp"

namespace strata::store {
class Hints;
class Store;
}  // namespace strata::store

namespace strata::service {

/// Tells of the changes of every project, each once and in the order of their numbers: after a write of this process at
/// once, after one of another when that says so. Looks into the store twice a second besides, for what others say can
/// be lost. Thread-safe.
class ChangeFeed {
 public:
  using Listener = std::function<void(const std::string& project, const store::Change& change)>;

  explicit ChangeFeed(store::Store& store);
  ~ChangeFeed();
  ChangeFeed(const ChangeFeed&) = delete;
  ChangeFeed& operator=(const ChangeFeed&) = delete;

  /// `listener` must not wait: it is called while others wait to tell of theirs. Before `start`.
  void listen(Listener listener) { listeners_.push_back(std::move(listener)); }
  /// What was changed before counts as told. Errors: those of the store.
  void start();
  /// Looks for the changes of a project. A store that does not answer is no error: the next look finds what this one
  /// has missed.
  void look(const std::string& project) noexcept;
  /// The same after a write of this process, which the other processes are told of.
  void wrote(const std::string& project) noexcept;
  /// Whether the changes up to `number` were told, or are now. There is nothing to wait for: whoever was told a number
  /// had its transaction in the store before.
  [[nodiscard]] bool reaches(const std::string& project, std::int64_t number);

 private:
  void look_at_all() noexcept;
  /// Until the end: says what was written here, and looks where others wrote.
  void attend();
  /// Waits until others say something, there is something to say, or `end`. What was heard: `PROJECT:NUMBER`.
  [[nodiscard]] std::vector<std::string> wait_for_others(std::chrono::steady_clock::time_point end);
  void tell(const std::string& project);

  store::Store& store_;
  const std::unique_ptr<store::Hints> hints_;  ///< Null if there are no others.
  std::vector<Listener> listeners_;
  std::mutex telling_;  ///< Held while changes are told: their order.
  std::mutex mutex_;    ///< Of all below.
  std::condition_variable ended_;
  std::map<std::string, std::int64_t, std::less<>> seen_;  ///< The last that was told, by project.
  std::set<std::string, std::less<>> written_;  ///< Projects that others are to be told of: one word for many writes.
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace strata::service
