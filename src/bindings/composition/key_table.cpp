// SPDX-License-Identifier: Apache-2.0
#include "bindings/composition/key_table.hpp"

namespace strata::bindings {

void KeyTable::reserve(std::size_t count) {
  std::size_t size = 16;
  while (size < count * 2) size *= 2;
  if (size > slots_.size()) rehash(size);
  keys_.reserve(count);
}

void KeyTable::rehash(std::size_t size) {
  slots_.assign(size, {});
  for (std::uint32_t i = 0; i < keys_.size(); ++i) {
    std::size_t at = keys_[i].hash & (size - 1);
    while (slots_[at].number != kNone) at = (at + 1) & (size - 1);
    slots_[at] = {keys_[i].hash, i + first_};
  }
}

std::uint32_t KeyTable::find(const KeyText& key, std::uint32_t hash) const noexcept {
  if (slots_.empty()) return kNone;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask; slots_[at].number != kNone; at = (at + 1) & mask) {
    if (slots_[at].hash == hash && (*this)[slots_[at].number] == key) return slots_[at].number;
  }
  return kNone;
}

std::uint32_t KeyTable::intern(const KeyText& key, std::uint32_t hash) {
  const std::uint32_t known = find(key, hash);
  if (known != kNone) return known;
  if (slots_.size() < (keys_.size() + 1) * 2) rehash(slots_.empty() ? 16 : slots_.size() * 2);
  const std::uint32_t number = end();
  keys_.push_back({key, hash});
  std::size_t at = hash & (slots_.size() - 1);
  while (slots_[at].number != kNone) at = (at + 1) & (slots_.size() - 1);
  slots_[at] = {hash, number};
  return number;
}

}  // namespace strata::bindings
