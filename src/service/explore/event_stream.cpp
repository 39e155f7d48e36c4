// SPDX-License-Identifier: Apache-2.0
#include "service/explore/event_stream.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "strata/error.hpp"
#include "strata/text.hpp"

namespace strata::service::explore {
namespace {

constexpr std::size_t kMostListeners = 256;
constexpr std::ptrdiff_t kMostOfOne = 64;
constexpr std::chrono::hours kLongestListening{1};
constexpr std::size_t kMostTold = 100;  ///< Names of files.

std::string event_of(std::int64_t generation, const std::vector<std::string>& changed) {
  std::string out = fmt::format("event: generation\ndata: {{\"generation\": {}, \"changed\": [", generation);
  for (std::size_t i = 0; i < std::min(changed.size(), kMostTold); ++i) {
    if (i != 0) out += ", ";
    text::append_json_text(out, changed[i]);
  }
  return out += "]}\n\n";
}

}  // namespace

Response EventStream::listen(std::int64_t generation, const std::string& scope, const std::string& who) {
  auto channel = std::make_shared<Channel>();
  const std::scoped_lock lock(mutex_);
  if (is_over_) throw Error("session.cancelled", "the service ends");
  if (listeners_.size() >= kMostListeners) throw Error("service.busy", "too many pages listen already");
  const auto is_same = [&who](const auto& one) { return one.second.who == who; };
  if (!who.empty() && std::ranges::count_if(listeners_, is_same) >= kMostOfOne)
    throw Error("service.busy", "too many pages of yours listen already");
  (void)channel->offer(event_of(generation, {}));
  listeners_.emplace(channel, Listener{.scope = scope, .who = who});
  return {.status = 200, .headers = {{"Content-Type", "text/event-stream"}}, .body = {}, .stream = channel, .make = {}};
}

void EventStream::offer(const std::string& text, const std::string* scope) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(listeners_, [&](const auto& one) {
    return (scope == nullptr || one.second.scope == *scope) && !one.first->offer(text);
  });
}

void EventStream::tell(std::int64_t generation, const std::vector<std::string>& changed) {
  offer(event_of(generation, changed));
}

void EventStream::tell(const Progress& progress, const std::string& scope) {
  std::string out = "event: progress\ndata: {\"project\": ";
  text::append_json_text(out, progress.project);
  out += ", \"at\": ";
  text::append_json_text(out, progress.revision);
  offer(out +
            fmt::format(R"(, "work": "{}", "done": {}, "all": {}, "over": {}}})", progress.work, progress.done,
                        progress.all == 0 ? std::string("null") : std::to_string(progress.all), progress.is_over) +
            "\n\n",
        &scope);
}

void EventStream::breathe() {
  {
    const std::scoped_lock lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    std::erase_if(listeners_, [now](const auto& one) {
      const bool is_old = now - one.second.began > kLongestListening;
      if (is_old) one.first->close();
      return is_old;
    });
  }
  offer(": still here\n\n");
}

void EventStream::close() {
  const std::scoped_lock lock(mutex_);
  is_over_ = true;
  for (const auto& [one, listener] : listeners_) one->close();
  listeners_.clear();
}

}  // namespace strata::service::explore
