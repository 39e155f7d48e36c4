// SPDX-License-Identifier: Apache-2.0
// State for the life of a process: the location space, and a cache of files.
#pragma once

#include <cstddef>
#include <memory>

#include "strata/origin.hpp"

namespace strata {

class Executor;
class Snapshot;

/// Settings of an Engine.
struct EngineSettings {
  /// Size of the file cache in bytes: files that no Snapshot uses, with their parsed forms. The least recently used
  /// files are dropped first. 0: nothing is cached and no identities are computed. Use this in a program that answers
  /// one question and ends.
  std::size_t file_cache = std::size_t{256} << 20U;
  /// Threads for large inputs: many files, and fleets of nodes. Null: every request works in its caller's thread alone.
  /// The results are the same.
  std::shared_ptr<Executor> executor = {};
};

/// State that Snapshots share. It lives as long as one of its Snapshots. Thread-safe.
class Engine {
 public:
  [[nodiscard]] static std::shared_ptr<Engine> make(const EngineSettings& settings = {});
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  [[nodiscard]] const EngineSettings& settings() const noexcept { return settings_; }
  /// The location space of the texts of all Snapshots and Sessions.
  [[nodiscard]] const std::shared_ptr<Locations>& locations() const noexcept { return locations_; }

  /// What is kept now.
  struct Usage {
    std::size_t files = 0;      ///< Number of files in the cache.
    std::size_t bytes = 0;      ///< Their size in bytes, with all parsed forms.
    std::size_t locations = 0;  ///< Leased locations: the bytes of all live texts.
    std::size_t reads = 0;      ///< How often a file was parsed since the Engine was made.
  };
  [[nodiscard]] Usage usage() const;

 private:
  friend class Snapshot;
  explicit Engine(const EngineSettings& settings);
  struct Cache;
  EngineSettings settings_;
  std::shared_ptr<Locations> locations_;
  std::unique_ptr<Cache> cache_;
};

}  // namespace strata
