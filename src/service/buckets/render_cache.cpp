// SPDX-License-Identifier: Apache-2.0
#include "service/buckets/render_cache.hpp"

namespace strata::service::buckets {

std::shared_ptr<const RenderedRevision> RenderCache::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = index_.find(key);
  if (found == index_.end()) return nullptr;
  kept_.splice(kept_.begin(), kept_, found->second);
  return kept_.front().revision;
}

void RenderCache::put(const std::string& key, std::shared_ptr<const RenderedRevision> revision) {
  if (revision->bytes > most_ / 2) return;
  std::list<Kept> dropped;  // Freed without the lock.
  const std::lock_guard lock(mutex_);
  if (index_.contains(key)) return;  // Somebody was faster.
  bytes_ += revision->bytes;
  kept_.push_front({.key = key, .revision = std::move(revision)});
  index_.emplace(key, kept_.begin());
  while (bytes_ > most_) {
    bytes_ -= kept_.back().revision->bytes;
    index_.erase(kept_.back().key);
    dropped.splice(dropped.begin(), kept_, std::prev(kept_.end()));
  }
}

void RenderCache::clear() {
  std::list<Kept> dropped;
  const std::lock_guard lock(mutex_);
  dropped.swap(kept_);
  index_.clear();
  bytes_ = 0;
}

}  // namespace strata::service::buckets
