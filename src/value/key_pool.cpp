// SPDX-License-Identifier: Apache-2.0
#include "key_pool.hpp"

#include "nodes.hpp"
#include "same_text.hpp"

namespace strata::detail {

Value KeyPool::key(Arena& arena, std::string_view text) { return find_or_make(arena, text, hash_text(text)); }

Value KeyPool::key(Arena& arena, const Value& text) {
  return find_or_make(arena, text.text(), kept_or_new_hash(text))
      .with_origin(text.origin())
      .with_secret(text.is_secret());
}

Value KeyPool::find_or_make(Arena& arena, std::string_view text, std::uint32_t hash) {
  if (size_ * 2 >= slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  for (; slots_[at].hash != 0; at = (at + 1) & mask) {
    if (slots_[at].hash == hash && same_text(slots_[at].key.text(), text)) return slots_[at].key;
  }
  slots_[at] = {hash, arena.key(text)};
  ++size_;
  return slots_[at].key;
}

void KeyPool::grow() {
  constexpr std::size_t kFirst = 32;
  std::vector<Slot> wider(slots_.empty() ? kFirst : slots_.size() * 2);
  const std::size_t mask = wider.size() - 1;
  for (const Slot& slot : slots_) {
    if (slot.hash == 0) continue;
    std::size_t at = slot.hash & mask;
    while (wider[at].hash != 0) at = (at + 1) & mask;
    wider[at] = slot;
  }
  slots_.swap(wider);
}

}  // namespace strata::detail
