// What was changed, by this process and by others over the same store.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "store/records.hpp"

namespace strata::store {
class Store;
}  // namespace strata::store

namespace strata::service {

/// Tells of the changes of every project, each once and in the order of their numbers. Looks into the store twice a second, for there may be other
/// processes; after a write of this one, at once. Thread-safe.
class ChangeFeed {
 public:
  using Listener = std::function<void(const std::string& project, const store::Change& change)>;

  explicit ChangeFeed(store::Store& store) : store_(store) {}
  ~ChangeFeed();
  ChangeFeed(const ChangeFeed&) = delete;
  ChangeFeed& operator=(const ChangeFeed&) = delete;

  /// `listener` must not wait: it is called while others wait to tell of theirs. Before `start`.
  void listen(Listener listener) { listeners_.push_back(std::move(listener)); }
  /// What was changed before counts as told. Errors: those of the store.
  void start();
  /// Looks for the changes of a project. A store that does not answer is no error: the next look finds what this one has missed.
  void look(const std::string& project) noexcept;
  /// Whether the changes up to `number` were told, or are in time.
  [[nodiscard]] bool wait(const std::string& project, std::int64_t number, std::chrono::steady_clock::time_point end);

 private:
  void look_at_all() noexcept;
  void tell(const std::string& project);

  store::Store& store_;
  std::vector<Listener> listeners_;
  std::mutex telling_;  ///< Held while changes are told: their order.
  std::mutex mutex_;    ///< Of all below.
  std::condition_variable told_;
  std::map<std::string, std::int64_t, std::less<>> seen_;  ///< The last that was told, by project.
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace strata::service
