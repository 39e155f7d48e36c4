// SPDX-License-Identifier: Apache-2.0
#include "service/identity/attempts.hpp"

namespace strata::service {
namespace {

constexpr std::chrono::seconds kWindow{60};
constexpr std::size_t kMostAddresses = 65'536;

}  // namespace

std::chrono::seconds FailedAttempts::wait(const std::string& address, Time now) const {
  const std::lock_guard lock(mutex_);
  const auto found = windows_.find(address);
  if (found == windows_.end() || found->second.count < kMostAMinute) return std::chrono::seconds(0);
  const auto left = std::chrono::ceil<std::chrono::seconds>(found->second.begin + kWindow - now);
  return std::max(left, std::chrono::seconds(0));
}

void FailedAttempts::add(const std::string& address, Time now) {
  const std::lock_guard lock(mutex_);
  if (windows_.size() >= kMostAddresses) {
    std::erase_if(windows_, [now](const auto& one) { return one.second.begin + kWindow <= now; });
    // More addresses than this in a minute: those that fail most are the ones to remember.
    for (std::size_t least = 1; windows_.size() >= kMostAddresses && least <= kMostAMinute; ++least) {
      std::erase_if(windows_, [least](const auto& one) { return one.second.count <= least; });
    }
    if (windows_.size() >= kMostAddresses) windows_.clear();
  }
  Window& window = windows_[address];
  if (window.count == 0 || window.begin + kWindow <= now) window = {.begin = now, .count = 0};
  ++window.count;
}

}  // namespace strata::service
