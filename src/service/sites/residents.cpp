// SPDX-License-Identifier: Apache-2.0
#include "service/sites/residents.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace strata::service::sites {

void Residents::used(Resident& resident, std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  const auto known = std::ranges::find(entries_, &resident, &Entry::resident);
  if (known == entries_.end()) {
    entries_.push_front({.resident = &resident, .bytes = bytes});
    bytes_ += bytes;
    return;
  }
  bytes_ += bytes;
  bytes_ -= std::exchange(known->bytes, bytes);
  entries_.splice(entries_.begin(), entries_, known);
}

void Residents::gone(const Resident& resident) {
  const std::scoped_lock lock(mutex_);
  const auto known = std::ranges::find(entries_, &resident, &Entry::resident);
  if (known == entries_.end()) return;
  bytes_ -= known->bytes;
  entries_.erase(known);
}

void Residents::shrink(std::size_t bytes) {
  std::vector<std::shared_ptr<const void>> dropped;  // Freed without the lock.
  const std::scoped_lock lock(mutex_);
  for (auto at = entries_.end(); bytes_ > bytes && at != entries_.begin();) {
    --at;
    auto held = at->resident->take();
    if (held == nullptr) continue;
    dropped.push_back(std::move(held));
    bytes_ -= at->bytes;
    at = entries_.erase(at);
  }
}

KeptFleet::~KeptFleet() {
  if (residents_ != nullptr) residents_->gone(*this);
}

analysis::Fleet& KeptFleet::get(const std::string& which,
                                const std::function<std::shared_ptr<analysis::Fleet>()>& make) {
  if (fleet_ != nullptr && which_ == which) return *fleet_;
  fleet_ = nullptr;  // Two of them would take twice the memory.
  fleet_ = make();
  which_ = which;
  return *fleet_;
}

void KeptFleet::count() {
  if (residents_ != nullptr && fleet_ != nullptr) residents_->used(*this, fleet_->bytes());
}

std::shared_ptr<const void> KeptFleet::take() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  return lock.owns_lock() ? std::exchange(fleet_, nullptr) : nullptr;
}

}  // namespace strata::service::sites
