// The files that Snapshots share: texts, each with the forms that it was read to.
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

/// One file: its text, and what it was read to.
struct SharedFile {
  struct Form {
    std::timed_mutex reading;
    std::unique_ptr<Sources> texts;  ///< What the reading added: aliases, derived texts.
    std::shared_ptr<const void> parsed;
    std::weak_ptr<const void> in_use;  ///< What users hold: `parsed` with its file. One owner for all of them.
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

/// Files by name and contents, at most so many bytes of those that nobody uses. A version of a file that a later one has followed goes as soon as
/// nobody uses it. Thread-safe.
class FileCache {
 public:
  explicit FileCache(std::size_t budget) : budget_(budget) {}

  [[nodiscard]] bool keeps() const noexcept { return budget_ != 0; }
  /// Null where it is not known.
  [[nodiscard]] std::shared_ptr<SharedFile> find(const std::string& key);
  /// The file that is known by `key` from now on: `file`, or what another thread added before. `path`: whose versions follow each other.
  [[nodiscard]] std::shared_ptr<SharedFile> add(const std::string& key, std::string_view path, std::shared_ptr<SharedFile> file);
  /// A file was read to a form that takes `bytes`.
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
  Entries earlier_;  ///< Versions that another one has followed.
  TextViewMap<Entries::iterator> by_key_;
  TextViewMap<Entries::iterator> by_path_;  ///< Of `latest_`.
  std::size_t bytes_ = 0;
  std::size_t reads_ = 0;
};

}  // namespace strata::detail
