// SPDX-License-Identifier: Apache-2.0
// What is remembered for a while, by a key.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace strata::service {

/// At most `most` entries, each up to a time. Thread-safe.
template <class Content>
class TimedCache {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit TimedCache(std::size_t most) noexcept : most_(most) {}

  [[nodiscard]] std::optional<Content> find(const std::string& key, Time now) const {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(key);
    if (found == entries_.end() || found->second.until <= now) return std::nullopt;
    return found->second.content;
  }

  void put(const std::string& key, Content content, Time until, Time now) {
    const std::lock_guard lock(mutex_);
    if (entries_.size() >= most_) make_room(now);
    entries_.insert_or_assign(key, Entry{std::move(content), until});
  }

  void remove(const std::string& key) {
    const std::lock_guard lock(mutex_);
    entries_.erase(key);
  }

 private:
  struct Entry {
    Content content;
    Time until;
  };

  /// A quarter at least, so that this is rare.
  void make_room(Time now) {
    std::erase_if(entries_, [now](const auto& one) { return one.second.until <= now; });
    while (entries_.size() > most_ - most_ / 4) entries_.erase(entries_.begin());
  }

  const std::size_t most_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, Entry> entries_;
};

}  // namespace strata::service
