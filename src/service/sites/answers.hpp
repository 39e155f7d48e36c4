// SPDX-License-Identifier: Apache-2.0
// Answers of states of sites in memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace strata::service::sites {

/// Answers by state and question. The least recently used ones go first. Thread-safe.
class Answers {
 public:
  /// A body that was made from a state, with its entity tag.
  struct Kept {
    std::string tag;
    std::shared_ptr<const std::string> body;
  };

  [[nodiscard]] std::optional<Kept> find(std::uint64_t state, const std::string& question);
  /// Keeps an answer, unless there is one.
  void keep(std::uint64_t state, const std::string& question, Kept answer);
  /// A state is gone, and nobody asks for its answers any more.
  void drop(std::uint64_t state);
  /// Drops answers until they take at most `bytes`.
  void shrink(std::size_t bytes);
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  struct Entry {
    std::uint64_t state;
    std::string question;
    Kept answer;
    [[nodiscard]] std::size_t size() const noexcept;
  };
  using Entries = std::list<Entry>;

  std::mutex mutex_;  ///< Of all below.
  Entries entries_;   ///< Last used first.
  std::map<std::uint64_t, std::unordered_map<std::string, Entries::iterator>> by_state_;
  std::atomic<std::size_t> bytes_ = 0;  ///< Read without the mutex.
};

}  // namespace strata::service::sites
