// SPDX-License-Identifier: Apache-2.0
#include "snapshot_state.hpp"

#include "tree/changes.hpp"

namespace strata::detail {

bool SnapshotState::follow(const std::shared_ptr<SnapshotState>& earlier) {
  constexpr std::size_t kMostChanged = 64;
  if (earlier->rules_ != rules_ || earlier->host_ != host_) return false;
  auto changed = changed_files(*tree_, *earlier->tree_, kMostChanged);
  if (!changed) return false;
  layout_ = earlier->layout_;
  before_ = earlier;
  changed_ = std::move(*changed);
  return true;
}

std::shared_ptr<SnapshotState::Part> SnapshotState::slot(std::type_index type, std::string_view name, bool is_new) {
  const std::lock_guard lock(mutex_);
  const std::pair key(type, std::string(name));
  if (!is_new) {
    const auto known = parts_.find(key);
    return known == parts_.end() ? nullptr : known->second;
  }
  auto& known = parts_[key];
  if (!known) known = std::make_shared<Part>();
  return known;
}

/// Null where it is not made yet.
std::shared_ptr<void> SnapshotState::made(std::type_index type, std::string_view name) {
  const std::shared_ptr<Part> part = slot(type, name, false);
  if (!part) return nullptr;
  const std::unique_lock lock(part->making, std::try_to_lock);
  return lock ? part->made : nullptr;
}

std::shared_ptr<void> SnapshotState::part(std::type_index type, std::string_view name, const Make& make) {
  const std::shared_ptr<Part> part = slot(type, name, true);
  const std::lock_guard lock(part->making);
  if (!part->made) {
    const std::shared_ptr<SnapshotState> before = before_.lock();
    part->made = make(before ? before->made(type, name) : nullptr, changed_);
    has_parts_ = true;
  }
  return part->made;
}

void RecentStates::add(const std::shared_ptr<SnapshotState>& state) {
  std::vector<std::shared_ptr<SnapshotState>> earlier;
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(states_, [](const auto& known) { return known.expired(); });
    for (const auto& known : states_) {
      if (auto used = known.lock()) earlier.push_back(std::move(used));
    }
  }
  // From one that nobody has asked anything there is nothing to take over.
  bool follows = false;
  for (const bool has_parts : {true, false}) {
    for (const auto& known : earlier) follows = follows || (known->has_parts() == has_parts && state->follow(known));
  }
  const std::lock_guard lock(mutex_);
  if (states_.size() >= kMost) states_.pop_back();
  states_.insert(states_.begin(), state);
}

}  // namespace strata::detail
