// Pages that listen for what is new.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "service/channel.hpp"
#include "service/request.hpp"

namespace strata::service::explore {

/// Thread-safe.
class EventStream {
 public:
  /// A new listener, who is told the generation at once. Errors: `service.busy`, `session.cancelled`.
  [[nodiscard]] Response listen(std::int64_t generation);
  /// Tells that there is another generation, and what was changed.
  void tell(std::int64_t generation, const std::vector<std::string>& changed);
  /// Keeps connections alive, and notices those that are gone.
  void breathe();
  /// Ends all streams; there are no more.
  void close();

 private:
  void offer(const std::string& text);

  std::mutex mutex_;  ///< Of all below.
  std::set<std::shared_ptr<Channel>> listeners_;
  bool is_over_ = false;
};

}  // namespace strata::service::explore
