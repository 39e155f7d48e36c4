// What lives as long as the process: the space of locations, and the files that were read.
#pragma once

#include <cstddef>
#include <memory>

#include "strata/origin.hpp"

namespace strata {

class Snapshot;

/// How an Engine works.
struct EngineSettings {
  /// Bytes of files, with what they were read to, that are kept although no Snapshot uses them, the least recently used go first. 0: none, and no
  /// identities are computed: for a program that answers one question and ends.
  std::size_t file_cache = std::size_t{256} << 20U;
};

/// What Snapshots share, for the life of the process. It lives as long as one of its Snapshots. Thread-safe.
class Engine {
 public:
  [[nodiscard]] static std::shared_ptr<Engine> make(const EngineSettings& settings = {});
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  [[nodiscard]] const EngineSettings& settings() const noexcept { return settings_; }
  /// The space that the texts of all Snapshots and Sessions lease their locations from.
  [[nodiscard]] const std::shared_ptr<Locations>& locations() const noexcept { return locations_; }

  /// How much is kept now.
  struct Usage {
    std::size_t files = 0;      ///< In the cache.
    std::size_t bytes = 0;      ///< Of them.
    std::size_t locations = 0;  ///< Leased: bytes of all live texts.
    std::size_t reads = 0;      ///< How often a file was read to a form since the Engine was made.
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
