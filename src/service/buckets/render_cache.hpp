// SPDX-License-Identifier: Apache-2.0
// Rendered revisions that were asked for lately.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "service/buckets/loaded.hpp"
#include "value/seeded_hash.hpp"

namespace strata::service::buckets {

/// A rendered revision. Immutable.
struct RenderedRevision {
  std::vector<store::Document> rows;   ///< Without their texts. `shown` and `policies` refer to them.
  std::vector<Shown> shown;            ///< In the order of the output.
  std::vector<Shown> policies;         ///< The ValidationPolicies, which no listing has.
  std::string text;                    ///< All of `shown`, as YAML.
  std::shared_ptr<const void> memory;  ///< Of the values.
  std::shared_ptr<Arena> views;        ///< Of the views.
  std::size_t bytes = 0;               ///< About as many as it takes.
  /// The documents whose secrets cannot be opened, with why: those that are made of them are withheld. Where there are
  /// some, `text` is empty.
  std::vector<std::pair<std::string, Diagnostic>> broken = {};
};

/// Bounded in bytes; what was not asked for longest goes first. Thread-safe.
class RenderCache {
 public:
  explicit RenderCache(std::size_t most) noexcept : most_(most) {}

  /// Null: it is not there.
  [[nodiscard]] std::shared_ptr<const RenderedRevision> find(const std::string& key);
  /// Larger ones than half of the cache are not kept.
  void put(const std::string& key, std::shared_ptr<const RenderedRevision> revision);
  /// Drops everything.
  void clear();

 private:
  struct Kept {
    std::string key;
    std::shared_ptr<const RenderedRevision> revision;
  };

  std::mutex mutex_;      ///< Guards all below.
  std::list<Kept> kept_;  ///< The last used one first.
  TextMap<std::list<Kept>::iterator> index_;
  std::size_t bytes_ = 0;
  const std::size_t most_;
};

}  // namespace strata::service::buckets
