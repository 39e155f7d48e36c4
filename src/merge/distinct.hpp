// Which items of a list were there before.
#pragma once

#include <optional>
#include <span>

#include "strata/value.hpp"

namespace strata::merge {

/// `equal`, with the most common answers at hand.
[[nodiscard]] inline bool same_item(const Value& left, const Value& right) noexcept {
  if (left.kind() != right.kind()) return false;
  if (left.is_text()) {
    const std::string_view a = left.text();
    const std::string_view b = right.text();
    return a.size() == b.size() && (a.data() == b.data() || a.empty() || (a.front() == b.front() && a == b));
  }
  return equal(left, right);
}

/// Finds items among those that were added. A few are compared with each other, many are found by hash.
class Distinct {
 public:
  static constexpr std::size_t kFew = 16;

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
      if (same_item(items[i], item)) return i;
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
  Distinct distinct(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (distinct.find(items.first(i), items[i]) != Arena::npos) return true;
    distinct.add(items[i]);
  }
  return false;
}

}  // namespace strata::merge
