// SPDX-License-Identifier: Apache-2.0
// Finds duplicate items of lists.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "strata/builder.hpp"
#include "strata/stop.hpp"
#include "strata/value.hpp"

namespace strata::merge {

namespace detail {

/// Distinguishes most items of a list quickly. Equal items have equal marks. If is_exact, equal marks mean equal items.
[[nodiscard]] inline std::uint64_t mark_of(const Value& item) noexcept {
  constexpr std::uint64_t kInexact = std::uint64_t{1} << 63U;
  if (!item.is_text()) return kInexact | static_cast<std::uint64_t>(item.kind());
  const std::string_view text = item.text();
  const std::size_t size = text.size();
  const auto load = [&text](std::size_t at, auto word) -> std::uint64_t {
    __builtin_memcpy(&word, text.data() + at, sizeof word);
    return word;
  };
  if (size >= 8)
    return kInexact | ((load(0, std::uint64_t{}) * 0x9E3779B97F4A7C15ULL ^ load(size - 8, std::uint64_t{})) *
                           0xD6E8FEB86659FD93ULL +
                       size);
  const std::uint64_t length = std::uint64_t{size} << 56U;
  if (size >= 4) return length | load(0, std::uint32_t{}) | load(size - 4, std::uint32_t{}) << (8 * (size - 4));
  if (size >= 2) return length | load(0, std::uint16_t{}) | load(size - 2, std::uint16_t{}) << (8 * (size - 2));
  return size == 0 ? length : length | load(0, std::uint8_t{});
}
/// For a text that fits into the mark.
[[nodiscard]] inline bool is_exact(std::uint64_t mark) noexcept { return mark >> 63U == 0; }

}  // namespace detail

/// A few distinct items, which must outlive it.
class FewDistinct {
 public:
  static constexpr std::size_t kFew = 16;

  /// True if there was no equal item.
  bool add(const Value& item) noexcept {
    const std::uint64_t mark = detail::mark_of(item);
    for (std::size_t i = 0; i < size_; ++i) {
      if (marks_[i] == mark && (detail::is_exact(mark) || equal(*items_[i], item))) return false;
    }
    marks_[size_] = mark;
    items_[size_++] = &item;
    return true;
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  std::array<std::uint64_t, kFew> marks_;  // NOLINT(cppcoreguidelines-pro-type-member-init): the first `size_` of them
  std::array<const Value*, kFew> items_;   // NOLINT(cppcoreguidelines-pro-type-member-init): as above
  std::size_t size_ = 0;
};

/// Finds items among those added: a few by their marks, many by hash.
class Distinct {
 public:
  /// Up to this number, items are compared by their marks, and `find` inspects the items themselves.
  static constexpr std::size_t kSome = 96;

  /// `expected`: the likely number of items.
  explicit Distinct(std::size_t expected) {
    if (expected <= kSome) {
      slots_.fill(0);
      return;
    }
    scratch_.emplace();
    seen_.emplace(*scratch_, KeyEquality::exact, expected);
  }

  /// Index in `items`, which contains exactly the added items; Arena::npos if it is missing.
  [[nodiscard]] std::size_t find(std::span<const Value> items, const Value& item) const noexcept {
    if (seen_) return seen_->index_of(item);
    const std::uint64_t mark = detail::mark_of(item);
    for (std::size_t slot = first_slot(mark); slots_[slot] != 0; slot = (slot + 1) % kSlots) {
      const std::size_t position = slots_[slot] - std::size_t{1};
      if (marks_[position] == mark && (detail::is_exact(mark) || equal(items[position], item))) return position;
    }
    return Arena::npos;
  }
  /// `item` must not be present.
  void add(const Value& item) {
    if (seen_) return (void)seen_->insert(item, Value::null());
    const std::uint64_t mark = detail::mark_of(item);
    std::size_t slot = first_slot(mark);
    while (slots_[slot] != 0) slot = (slot + 1) % kSlots;
    marks_[size_] = mark;
    slots_[slot] = static_cast<std::uint8_t>(++size_);
  }

 private:
  static constexpr std::size_t kSlots = 256;
  static std::size_t first_slot(std::uint64_t mark) noexcept { return (mark * 0x9E3779B97F4A7C15ULL) >> 56U; }

  std::array<std::uint8_t, kSlots> slots_;  ///< Index + 1; 0: free.
  std::array<std::uint64_t, kSome> marks_;  ///< The first `size_` of them.
  std::size_t size_ = 0;
  std::optional<Arena> scratch_;
  std::optional<MappingBuilder> seen_;
};

/// Whether any item of a list equals another one. Errors: as StopCheck::tick.
[[nodiscard]] inline bool has_duplicates(std::span<const Value> items, StopCheck& stop) {
  if (items.size() <= FewDistinct::kFew) {
    FewDistinct few;
    return !std::ranges::all_of(items, [&few](const Value& item) { return few.add(item); });
  }
  Distinct distinct(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    stop.tick();
    if (distinct.find(items.first(i), items[i]) != Arena::npos) return true;
    distinct.add(items[i]);
  }
  return false;
}

}  // namespace strata::merge
