#include "file_cache.hpp"

#include "strata/stop.hpp"

namespace strata::detail {

std::unique_lock<std::timed_mutex> lock_while_running(std::timed_mutex& mutex, const Stop* stop) {
  if (stop == nullptr) return std::unique_lock(mutex);
  std::unique_lock lock(mutex, std::defer_lock);
  while (!lock.try_lock_for(Stop::kSlice)) stop->check();
  return lock;
}

SharedFile::Form& SharedFile::form(std::type_index type, std::string_view name) {
  const std::lock_guard lock(mutex_);
  return forms_.try_emplace(std::pair(type, std::string(name))).first->second;
}

std::shared_ptr<SharedFile> FileCache::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto known = by_key_.find(key);
  if (known == by_key_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, known->second);
  return known->second->file;
}

std::shared_ptr<SharedFile> FileCache::add(const std::string& key, std::shared_ptr<SharedFile> file) {
  const std::lock_guard lock(mutex_);
  const auto known = by_key_.find(key);
  if (known != by_key_.end()) return known->second->file;
  entries_.push_front({.key = key, .file = file});
  by_key_.emplace(entries_.front().key, entries_.begin());
  file->is_cached = true;
  file->bytes += file->size + key.size();
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

/// What somebody uses is no gain to let go of: it moves to the front, so that the next search does not meet it again.
void FileCache::evict() {
  constexpr std::size_t kMostLooks = 64;
  for (std::size_t looks = std::min(entries_.size(), kMostLooks); bytes_ > budget_ && looks > 0; --looks) {
    const auto last = std::prev(entries_.end());
    if (last->file.use_count() > 1) {
      entries_.splice(entries_.begin(), entries_, last);
      continue;
    }
    bytes_ -= last->file->bytes;
    by_key_.erase(last->key);
    entries_.erase(last);
  }
}

Engine::Usage FileCache::usage() const {
  const std::lock_guard lock(mutex_);
  return {.files = entries_.size(), .bytes = bytes_, .locations = 0, .reads = reads_};
}

}  // namespace strata::detail
