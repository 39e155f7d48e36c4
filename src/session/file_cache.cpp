// SPDX-License-Identifier: Apache-2.0
#include "file_cache.hpp"

namespace strata::detail {

SharedFile::Form& SharedFile::form(std::type_index type, std::string_view name) {
  const std::lock_guard lock(mutex_);
  return forms_.try_emplace(std::pair(type, std::string(name))).first->second;
}

/// The entry is the latest version of its file from now on.
void FileCache::use(Entries::iterator entry) {
  const auto [known, is_new] = by_path_.try_emplace(entry->path, entry);
  if (!is_new && known->second == entry) {
    latest_.splice(latest_.begin(), latest_, entry);
    return;
  }
  if (!is_new) {
    earlier_.splice(earlier_.end(), latest_, known->second);
    by_path_.erase(known);
    by_path_.emplace(entry->path, entry);
  }
  latest_.splice(latest_.begin(), earlier_, entry);
}

std::shared_ptr<SharedFile> FileCache::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto known = by_key_.find(key);
  if (known == by_key_.end()) return nullptr;
  use(known->second);
  return known->second->file;
}

std::shared_ptr<SharedFile> FileCache::add(const std::string& key, std::string_view path,
                                           std::shared_ptr<SharedFile> file) {
  const std::lock_guard lock(mutex_);
  const auto known = by_key_.find(key);
  if (known != by_key_.end()) return known->second->file;
  earlier_.push_back({.key = key, .path = std::string(path), .file = file});
  const auto entry = std::prev(earlier_.end());
  by_key_.emplace(entry->key, entry);
  use(entry);
  file->is_cached = true;
  file->bytes += file->size + key.size() + path.size();
  bytes_ += file->bytes;
  evict();
  return file;
}

void FileCache::grow(SharedFile& file, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  ++reads_;
  file.bytes += bytes;
  if (!file.is_cached) return;
  bytes_ += bytes;
  evict();
}

void FileCache::erase(Entries& list, Entries::iterator entry) {
  bytes_ -= entry->file->bytes;
  by_key_.erase(entry->key);
  if (&list == &latest_) by_path_.erase(entry->path);
  list.erase(entry);
}

/// Lets go of what nobody uses from the end of a list, until no more than `budget` is kept. What somebody uses moves to
/// the front, so that the next search does not meet it again.
void FileCache::drop_unused(Entries& list, std::size_t looks, std::size_t budget) {
  for (looks = std::min(list.size(), looks); bytes_ > budget && looks > 0; --looks) {
    const auto last = std::prev(list.end());
    if (last->file.use_count() > 1) {
      list.splice(list.begin(), list, last);
    } else {
      erase(list, last);
    }
  }
}

void FileCache::evict() {
  constexpr std::size_t kMostLooks = 64;
  constexpr std::size_t kEarlierLooks = 8;
  drop_unused(earlier_, kEarlierLooks, 0);
  drop_unused(latest_, kMostLooks, budget_);
}

Engine::Usage FileCache::usage() const {
  const std::lock_guard lock(mutex_);
  return {.files = latest_.size() + earlier_.size(), .bytes = bytes_, .locations = 0, .reads = reads_};
}

}  // namespace strata::detail
