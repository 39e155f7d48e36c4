// SPDX-License-Identifier: Apache-2.0
#include "knockout_in_place.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>

#include "value/seeded_hash.hpp"

namespace strata::merge {
namespace {

/// A list whose items are found by place and by text, while others go. Items keep their slots; a tree of counts tells
/// which slot is at a place. Items are known by their indexes in the list as it was.
class ShrinkingList {
 public:
  ShrinkingList(const std::vector<Traced>& items, StopCheck& stop)
      : items_(items), slots_to_items_(items.size()), counts_(items.size() + 1), size_(items.size()) {
    for (std::size_t i = 1; i < counts_.size(); ++i) counts_[i] = i & (~i + 1);
    for (std::size_t slot = 0; slot < items.size(); ++slot) {
      stop.tick();
      slots_to_items_[slot] = slot;
      note(slot);
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t at(std::size_t place) const noexcept { return slots_to_items_[slot_at(place)]; }
  void write(std::size_t place, std::size_t item) {
    const std::size_t slot = slot_at(place);
    slots_to_items_[slot] = item;
    note(slot);
  }

  /// Removes all texts that equal one of two; tells `gone` of each, in their order.
  template <class Gone>
  void erase(std::string_view one, std::string_view other, const Gone& gone) {
    std::vector<std::size_t> doomed;
    for (const std::string_view text : {one, other}) {
      const auto found = slots_.find(text);
      if (found == slots_.end()) continue;
      for (const std::size_t slot : found->second) {
        // Another item may have been written there since.
        if (is_text(slot, text)) doomed.push_back(slot);
      }
      slots_.erase(found);
    }
    std::ranges::sort(doomed);
    doomed.erase(std::unique(doomed.begin(), doomed.end()), doomed.end());
    for (const std::size_t slot : doomed) {
      gone(slots_to_items_[slot]);
      slots_to_items_[slot] = kGone;
      for (std::size_t i = slot + 1; i < counts_.size(); i += i & (~i + 1)) --counts_[i];
    }
    size_ -= doomed.size();
  }

  /// All but what lies from `first` up to `last`.
  [[nodiscard]] std::vector<std::size_t> without(std::size_t first, std::size_t last) const {
    std::vector<std::size_t> out;
    std::size_t place = 0;
    for (const std::size_t item : slots_to_items_) {
      if (item == kGone) continue;
      if (place < first || place >= last) out.push_back(item);
      ++place;
    }
    return out;
  }

 private:
  static constexpr std::size_t kGone = SIZE_MAX;

  [[nodiscard]] bool is_text(std::size_t slot, std::string_view text) const noexcept {
    if (slots_to_items_[slot] == kGone) return false;
    const Value& value = items_[slots_to_items_[slot]].value;
    return value.is_text() && value.text() == text;
  }
  void note(std::size_t slot) {
    const Value& value = items_[slots_to_items_[slot]].value;
    if (value.is_text()) slots_[value.text()].push_back(slot);
  }
  /// Fenwick's tree, walked from the top.
  [[nodiscard]] std::size_t slot_at(std::size_t place) const noexcept {
    std::size_t slot = 0;
    for (std::size_t step = std::bit_floor(items_.size()); step != 0; step /= 2) {
      if (slot + step >= counts_.size() || counts_[slot + step] > place) continue;
      slot += step;
      place -= counts_[slot];
    }
    return slot;
  }

  const std::vector<Traced>& items_;
  std::vector<std::size_t> slots_to_items_;
  std::vector<std::size_t>
      counts_;  ///< counts_[i]: how many are left of the slots before i, as many as i's lowest bit says.
  TextViewMap<std::vector<std::size_t>> slots_;
  std::size_t size_;
};

}  // namespace

std::vector<Traced> knock_out_in_place(const std::vector<Traced>& items, const Knockout& knockout, StopCheck& stop,
                                       const Struck& struck) {
  ShrinkingList list(items, stop);
  std::vector<bool> is_told(items.size());
  std::size_t written = 0;
  std::size_t read = 0;
  for (; read < list.size(); ++read) {
    stop.tick();
    const std::size_t own = list.at(read);
    const Traced& item = items[own];
    if (const auto target = knockout.target(item.value)) {
      bool is_idle = true;
      list.erase(*target, item.value.text(), [&](std::size_t other) {
        const bool is_new = !is_told[other];  // Where an item was read from, it still stands, too.
        is_told[other] = true;
        if (!is_new || other == own) return;
        is_idle = false;
        struck(read, items[other], item);
      });
      if (is_idle) struck(read, {}, item);
    } else {
      if (written != read) list.write(written, own);
      ++written;
    }
  }
  if (written == items.size()) return items;
  // What the walker did not reach moves down.
  std::vector<Traced> out;
  for (const std::size_t item : list.without(written, std::min(read, list.size()))) {
    is_told[item] = true;
    out.push_back(items[item]);
  }
  for (std::size_t item = 0; item < items.size(); ++item) {
    if (!is_told[item]) struck(item, items[item], {});
  }
  return out;
}

}  // namespace strata::merge
