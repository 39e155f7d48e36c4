// SPDX-License-Identifier: Apache-2.0
// The files that Snapshots share: texts, each with its parsed forms.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <typeindex>
#include <utility>

#include "strata/origin.hpp"
#include "strata/snapshot.hpp"
#include "value/seeded_hash.hpp"

namespace strata::detail {

/// One file: its text and its parsed forms.
struct SharedFile {
  struct Form {
    std::timed_mutex reading;
    std::unique_ptr<Sources> texts;  ///< Texts that the reader added: aliases, derived texts.
    std::shared_ptr<const void> parsed;
    std::weak_ptr<const void> in_use;  ///< Held by users: `parsed` with its file. They share one owner.
  };

  SharedFile(std::shared_ptr<Locations> locations, const std::string& folder, std::string_view path, std::string text)
      : texts(std::move(locations), folder), size(text.size()), source(texts.add(path, std::move(text))) {}

  [[nodiscard]] Form& form(std::type_index type, std::string_view name);

  Sources texts;
  std::size_t size;
  SourceId source;
  std::size_t bytes = 0;   ///< With all forms. Guarded by the cache.
  bool is_cached = false;  ///< Guarded by the cache.

 private:
  std::mutex mutex_;
  std::map<std::pair<std::type_index, std::string>, Form, std::less<>> forms_;
};

/// Files by name and contents. The files that nobody uses take at most `budget` bytes. A version that a later one
/// follows is dropped as soon as nobody uses it. Thread-safe.
class FileCache {
 public:
  explicit FileCache(std::size_t budget) : budget_(budget) {}

  [[nodiscard]] bool keeps() const noexcept { return budget_ != 0; }
  /// Null if it is not cached.
  [[nodiscard]] std::shared_ptr<SharedFile> find(const std::string& key);
  /// Adds `file` under `key`, unless another thread was faster; returns the cached file. `path` identifies the versions
  /// of a file.
  [[nodiscard]] std::shared_ptr<SharedFile> add(const std::string& key, std::string_view path,
                                                std::shared_ptr<SharedFile> file);
  /// A file was parsed to a form that takes `bytes`.
  void grow(SharedFile& file, std::size_t bytes);
  [[nodiscard]] Engine::Usage usage() const;

 private:
  struct Entry {
    std::string key;
    std::string path;
    std::shared_ptr<SharedFile> file;
  };
  using Entries = std::list<Entry>;

  void use(Entries::iterator entry);
  void erase(Entries& list, Entries::iterator entry);
  void drop_unused(Entries& list, std::size_t looks, std::size_t budget);
  void evict();

  std::size_t budget_;
  mutable std::mutex mutex_;
  Entries latest_;   ///< The latest version of each file, the most recently used first.
  Entries earlier_;  ///< Versions that a later one follows.
  TextViewMap<Entries::iterator> by_key_;
  TextViewMap<Entries::iterator> by_path_;  ///< Into `latest_`.
  std::size_t bytes_ = 0;
  std::size_t reads_ = 0;
};

}  // namespace strata::detail
