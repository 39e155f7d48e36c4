#include "knockout_in_place.hpp"

#include <algorithm>
#include <bit>
#include <string_view>

#include "value/seeded_hash.hpp"

namespace strata::merge {
namespace {

/// A list whose items are found by place and by text, while others go. Items keep their slots; a tree of counts tells which slot is at a place.
class ShrinkingList {
 public:
  ShrinkingList(const std::vector<Traced>& items, StopCheck& stop) : items_(items), counts_(items.size() + 1), size_(items.size()) {
    for (std::size_t i = 1; i < counts_.size(); ++i) counts_[i] = i & (~i + 1);
    for (std::size_t slot = 0; slot < items.size(); ++slot) {
      stop.tick();
      note(slot);
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] const Traced& at(std::size_t place) const noexcept { return items_[slot_at(place)]; }
  void write(std::size_t place, const Traced& item) {
    const std::size_t slot = slot_at(place);
    items_[slot] = item;
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
      gone(items_[slot]);
      items_[slot].value = Value();
      for (std::size_t i = slot + 1; i < counts_.size(); i += i & (~i + 1)) --counts_[i];
    }
    size_ -= doomed.size();
  }

  /// All but what lies from `first` up to `last`.
  [[nodiscard]] std::vector<Traced> without(std::size_t first, std::size_t last) const {
    std::vector<Traced> out;
    std::size_t place = 0;
    for (const Traced& item : items_) {
      if (!item.value) continue;
      if (place < first || place >= last) out.push_back(item);
      ++place;
    }
    return out;
  }

 private:
  [[nodiscard]] bool is_text(std::size_t slot, std::string_view text) const noexcept {
    return items_[slot].value.is_text() && items_[slot].value.text() == text;
  }
  void note(std::size_t slot) {
    if (items_[slot].value.is_text()) slots_[items_[slot].value.text()].push_back(slot);
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

  std::vector<Traced> items_;        ///< Absent: gone.
  std::vector<std::size_t> counts_;  ///< counts_[i]: how many are left of the slots before i, as many as i's lowest bit says.
  TextViewMap<std::vector<std::size_t>> slots_;
  std::size_t size_;
};

}  // namespace

std::vector<Traced> knock_out_in_place(const std::vector<Traced>& items, const Knockout& knockout, StopCheck& stop, const Struck& struck) {
  ShrinkingList list(items, stop);
  std::size_t written = 0;
  std::size_t read = 0;
  for (; read < list.size(); ++read) {
    stop.tick();
    const Traced item = list.at(read);
    if (const auto target = knockout.target(item.value)) {
      list.erase(*target, item.value.text(), [&](const Traced& other) { struck(read, other, item); });
    } else {
      if (written != read) list.write(written, item);
      ++written;
    }
  }
  if (written == items.size()) return items;
  // What the walker did not reach moves down.
  return list.without(written, std::min(read, list.size()));
}

}  // namespace strata::merge
