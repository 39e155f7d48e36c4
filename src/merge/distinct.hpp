// Which items of a list were there before.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "strata/value.hpp"

namespace strata::merge {

/// A few distinct items, which must outlive it. Texts are at hand: reading them from the values each time costs more than comparing them.
class FewDistinct {
 public:
  static constexpr std::size_t kFew = 16;

  /// True where no equal item was there.
  bool add(const Value& item) noexcept {
    const bool is_text = item.is_text();
    const std::string_view text = is_text ? item.text() : std::string_view();
    for (std::size_t i = 0; i < size_; ++i) {
      const Known& known = known_[i];
      if (is_text ? known.is_text && same(known, text) : !known.is_text && equal(*known.item, item)) return false;
    }
    known_[size_++] = {.item = &item, .text = text.data(), .size = text.size(), .is_text = is_text};
    return true;
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  struct Known {
    const Value* item;
    const char* text;
    std::size_t size;
    bool is_text;
  };

  /// Items of one list begin alike, or end alike; seldom both.
  static bool same(const Known& known, std::string_view text) noexcept {
    if (known.size != text.size()) return false;
    if (text.empty() || known.text == text.data()) return true;
    return *known.text == text.front() && known.text[known.size - 1] == text.back() &&
           (known.size <= 2 || text == std::string_view(known.text, known.size));
  }

  std::array<Known, kFew> known_;  // NOLINT(cppcoreguidelines-pro-type-member-init): the first `size_` of them
  std::size_t size_ = 0;
};

/// Finds items among those that were added. A few are compared with each other, many are found by hash.
class Distinct {
 public:
  static constexpr std::size_t kFew = FewDistinct::kFew;

  /// `expected`: how many there may be.
  explicit Distinct(std::size_t expected) {
    if (expected <= kFew) return;
    scratch_.emplace();
    seen_ = scratch_->mapping(KeyEquality::exact);
  }

  /// Position in `items`, which holds what was added and nothing else; Arena::npos where it is not there.
  [[nodiscard]] std::size_t find(std::span<const Value> items, const Value& item) const noexcept {
    if (seen_) return Arena::index_of(seen_, item);
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (equal(items[i], item)) return i;
    }
    return Arena::npos;
  }
  void add(const Value& item) {
    if (seen_) scratch_->insert(seen_, item, Value::null());
  }

 private:
  std::optional<Arena> scratch_;
  Value seen_;
};

/// Whether any item of a list equals another one.
[[nodiscard]] inline bool has_duplicates(std::span<const Value> items) {
  if (items.size() <= FewDistinct::kFew) {
    FewDistinct few;
    return !std::ranges::all_of(items, [&few](const Value& item) { return few.add(item); });
  }
  Distinct distinct(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (distinct.find(items.first(i), items[i]) != Arena::npos) return true;
    distinct.add(items[i]);
  }
  return false;
}

}  // namespace strata::merge
