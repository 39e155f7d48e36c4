// SPDX-License-Identifier: Apache-2.0
#include "puppet/evaluation/scope.hpp"

#include <algorithm>
#include <cstring>
#include <functional>

#include "value/seeded_hash.hpp"

namespace strata::puppet {
namespace {

template <class Word>
std::uint64_t load(const char* from) noexcept {
  Word word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

/// Most names are short: then their ends are all of them.
std::uint32_t hash_of_name(std::string_view name) noexcept {
  constexpr std::size_t kShort = 16;
  constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15U;
  const std::size_t size = name.size();
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  if (size > kShort) {
    first = seeded_hash(name);
  } else if (size >= 8) {
    first = load<std::uint64_t>(name.data());
    last = load<std::uint64_t>(name.data() + size - 8);
  } else if (size >= 4) {
    first = load<std::uint32_t>(name.data());
    last = load<std::uint32_t>(name.data() + size - 4);
  } else {
    for (const char c : name) first = (first << 8U) | static_cast<unsigned char>(c);
  }
  std::uint64_t hash = (first + size) * kMix;
  hash = (hash ^ (hash >> 32U) ^ last) * kMix;
  return static_cast<std::uint32_t>(hash >> 32U);
}

}  // namespace

std::size_t Scope::position(std::string_view name) const noexcept {
  return index_.empty() ? position_in_few(name) : position(name, hash_of_name(name));
}

std::size_t Scope::position_in_few(std::string_view name) const noexcept {
  for (std::size_t i = 0; i < size_; ++i) {
    if (at(i).name == name) return i;
  }
  return size_;
}

std::size_t Scope::position(std::string_view name, std::uint32_t hash) const noexcept {
  const std::size_t mask = index_.size() - 1;
  for (std::size_t slot = hash & mask; index_[slot].number != 0; slot = (slot + 1) & mask) {
    const std::size_t found = index_[slot].number - 1;
    if (index_[slot].hash == hash && at(found).name == name) return found;
  }
  return size_;
}

void Scope::add_to_index(const Place& place) noexcept {
  const std::size_t mask = index_.size() - 1;
  std::size_t slot = place.hash & mask;
  while (index_[slot].number != 0) slot = (slot + 1) & mask;
  index_[slot] = place;
}

// At most half of the slots are taken.
void Scope::grow_index() {
  std::vector<Place> old = std::move(index_);
  index_.assign(std::max(kIndexed * 8, old.size() * 4), {});
  if (old.empty()) {
    for (std::size_t i = 0; i < size_; ++i) add_to_index({static_cast<std::uint32_t>(i + 1), hash_of_name(at(i).name)});
  }
  for (const Place& place : old) {
    if (place.number != 0) add_to_index(place);
  }
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
  const bool indexed = !index_.empty();
  const std::uint32_t hash = indexed ? hash_of_name(name) : 0;
  if ((indexed ? position(name, hash) : position_in_few(name)) != size_) return false;
  if (size_ < kInline) {
    near_[size_] = {name, value, origin};
  } else {
    far_.push_back({name, value, origin});
  }
  ++size_;
  if (indexed) {
    if (size_ * 2 > index_.size()) grow_index();
    add_to_index({static_cast<std::uint32_t>(size_), hash});
  } else if (size_ == kIndexed) {
    grow_index();
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
