// SPDX-License-Identifier: Apache-2.0
// Everybody who watches results: one evaluation a change serves all who watch the same. Rules: docs/service/watch.md.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "service/core.hpp"
#include "service/sites/sites.hpp"
#include "service/watch/results.hpp"

namespace strata::service::watch {

/// Thread-safe.
class Watches {
 public:
  Watches(Core& core, sites::Sites& sites);
  ~Watches();
  Watches(const Watches&) = delete;
  Watches& operator=(const Watches&) = delete;

  /// A stream of events: first what there is, or what has changed since the event with the id `since`; then what
  /// changes. Error `service.busy`.
  [[nodiscard]] Response watch(Query query, const std::optional<std::string>& since, bool with_values);
  /// How many watch.
  [[nodiscard]] std::size_t count() const;
  /// Tells all that the service ends, and ends their streams. Nobody can watch any more.
  void shut_down();

 private:
  struct Group;  ///< All who watch the same.
  struct Watcher;
  struct Results;
  struct Moment;
  using Site = std::pair<std::string, std::string>;  ///< Project and name.

  [[nodiscard]] bool is_over() const;
  [[nodiscard]] std::shared_ptr<Group> group_of(const Query& query);
  [[nodiscard]] std::int64_t own_number();
  [[nodiscard]] Moment present(const Query& query, const Stop& stop);
  void begin(const std::shared_ptr<Watcher>& watcher, const std::optional<std::string>& since, const Stop& stop);
  void look(Group& group, const Stop& stop);
  [[nodiscard]] std::shared_ptr<const Results> known_since(Group& group, const std::string& since, const Stop& stop);
  [[nodiscard]] std::shared_ptr<const Results> stored_since(const Group& group, std::int64_t number, const Stop& stop);
  void serve();
  void tell_changes(Group& group);
  void keep_alive();

  Core& core_;
  sites::Sites& sites_;
  std::atomic<std::int64_t> last_number_ = 0;  ///< The last of own_number.
  mutable std::mutex mutex_;                   ///< Of all below.
  std::condition_variable changed_;
  std::map<std::string, std::shared_ptr<Group>> groups_;  ///< By the text of their queries.
  std::set<Site> sites_changed_;
  std::size_t watchers_ = 0;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace strata::service::watch
