#include "puppet/evaluation/scope.hpp"

#include <algorithm>
#include <cstring>
#include <functional>

namespace strata::puppet {
namespace {

/// Most names are short: then their ends are all of them.
std::size_t hash_of(std::string_view name) noexcept {
  constexpr std::size_t kShort = 16;
  if (name.size() > kShort) return std::hash<std::string_view>{}(name);
  constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15U;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  const std::size_t size = std::min(name.size(), sizeof first);
  std::memcpy(&first, name.data(), size);
  std::memcpy(&last, name.data() + (name.size() - size), size);
  std::uint64_t hash = (first + name.size()) * kMix;
  hash = (hash ^ (hash >> 32U) ^ last) * kMix;
  return static_cast<std::size_t>(hash ^ (hash >> 32U));
}

}  // namespace

std::size_t Scope::position(std::string_view name) const noexcept {
  if (!index_.empty()) {
    const std::size_t mask = index_.size() - 1;
    for (std::size_t slot = hash_of(name) & mask; index_[slot] != 0; slot = (slot + 1) & mask) {
      if (at(index_[slot] - 1).name == name) return index_[slot] - 1;
    }
    return size_;
  }
  for (std::size_t i = 0; i < size_; ++i) {
    if (at(i).name == name) return i;
  }
  return size_;
}

void Scope::add_to_index(std::size_t position) noexcept {
  const std::size_t mask = index_.size() - 1;
  std::size_t slot = hash_of(at(position).name) & mask;
  while (index_[slot] != 0) slot = (slot + 1) & mask;
  index_[slot] = static_cast<std::uint32_t>(position + 1);
}

// At most half of the slots are taken.
void Scope::rebuild_index() {
  index_.assign(std::max(kIndexed * 4, index_.size() * 2), 0);
  for (std::size_t i = 0; i < size_; ++i) add_to_index(i);
}

const Scope::Slot* Scope::find_here(std::string_view name) const noexcept {
  const std::size_t found = position(name);
  return found == size_ ? nullptr : &at(found);
}

const Value* Scope::find(std::string_view name) const noexcept {
  for (const Scope* scope = this; scope != nullptr; scope = scope->outer_) {
    if (const Slot* slot = scope->find_here(name)) return &slot->value;
  }
  return nullptr;
}

bool Scope::assign(std::string_view name, const Value& value, Origin origin) {
  if (position(name) != size_) return false;
  if (size_ < kInline) {
    near_[size_] = {name, value, origin};
  } else {
    far_.push_back({name, value, origin});
  }
  ++size_;
  if (!index_.empty() && size_ * 2 <= index_.size()) {
    add_to_index(size_ - 1);
  } else if (size_ >= kIndexed) {
    rebuild_index();
  }
  return true;
}

Origin Scope::assigned_at(std::string_view name) const noexcept {
  const Slot* slot = find_here(name);
  return slot == nullptr ? Origin{} : slot->assigned;
}

const Scope& Scope::top() const noexcept {
  const Scope* scope = this;
  while (scope->outer_ != nullptr) scope = scope->outer_;
  return *scope;
}

Value Scope::groups() const noexcept {
  for (const Scope* scope = this; scope != nullptr; scope = scope->outer_) {
    if (scope->groups_) return scope->groups_;
  }
  return {};
}

}  // namespace strata::puppet
