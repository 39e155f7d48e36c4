// Pages that listen for what is new.
#pragma once

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
  /// A new listener, who is told the generation at once. Errors: `service.busy`, `session.cancelled`.
  /// `scope`: what the listener may hear of besides.
  [[nodiscard]] Response listen(std::int64_t generation, const std::string& scope = {});
  /// Tells that there is another generation, and what was changed.
  void tell(std::int64_t generation, const std::vector<std::string>& changed);
  /// Tells the listeners of a scope how far something is that takes long.
  void tell(const Progress& progress, const std::string& scope = {});
  /// Keeps connections alive, and notices those that are gone.
  void breathe();
  /// Ends all streams; there are no more.
  void close();

 private:
  /// `scope`: null for all.
  void offer(const std::string& text, const std::string* scope = nullptr);

  std::mutex mutex_;                                           ///< Of all below.
  std::map<std::shared_ptr<Channel>, std::string> listeners_;  ///< With their scopes.
  bool is_over_ = false;
};

}  // namespace strata::service::explore
