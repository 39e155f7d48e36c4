// SPDX-License-Identifier: Apache-2.0
// Pages that listen for what is new.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "service/channel.hpp"
#include "service/explore/work.hpp"
#include "service/request.hpp"

namespace strata::service::explore {

/// Thread-safe.
class EventStream {
 public:
  /// The time between two calls of `breathe`.
  static constexpr std::chrono::seconds kHeartbeat{15};

  /// Adds a listener, which gets the generation at once. Errors: `service.busy`, `session.cancelled`.
  /// `scope`: what else the listener may hear of. `who`: the owner of the listener, who may have only so many; empty
  /// for the user of the program.
  [[nodiscard]] Response listen(std::int64_t generation, const std::string& scope = {}, const std::string& who = {});
  /// Announces another generation, and what was changed.
  void tell(std::int64_t generation, const std::vector<std::string>& changed);
  /// Tells the listeners of a scope how far something is that takes long.
  void tell(const Progress& progress, const std::string& scope = {});
  /// Keeps connections alive, notices those that are gone, and ends those that have listened for an hour: a page asks
  /// again, as who it is then.
  void breathe();
  /// Ends all streams; there are no more.
  void close();

 private:
  struct Listener {
    std::string scope;
    std::string who;
    std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
  };

  /// `scope`: null for all.
  void offer(const std::string& text, const std::string* scope = nullptr);

  std::mutex mutex_;  ///< Of all below.
  std::map<std::shared_ptr<Channel>, Listener> listeners_;
  bool is_over_ = false;
};

}  // namespace strata::service::explore
