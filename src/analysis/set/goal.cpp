// SPDX-License-Identifier: Apache-2.0
#include "analysis/set/goal.hpp"

#include <algorithm>
#include <span>

#include "strata/path.hpp"

namespace strata::analysis::proposing {

Goal::Goal(const Wish& wish) : wish_(wish), below_(parse_pointer(wish.path)), whole_(below_) {
  whole_.insert(whole_.begin(), wish.item);
  append_token(pointer_, wish.item);
  pointer_ += wish.path;
}

Value Goal::found_in(const Outcome& outcome) const {
  for (const Item& item : outcome.items) {
    if (item.failure || !item.value) continue;
    if (item.name == wish_.item) return value_at(item.value, below_);
    if (item.name.empty()) return value_at(item.value, whole_);
  }
  return {};
}

Value Goal::found_above(const Outcome& outcome) const {
  for (const Item& item : outcome.items) {
    if (item.failure || !item.value || (item.name != wish_.item && !item.name.empty())) continue;
    std::vector<std::string> tokens = item.name.empty() ? whole_ : below_;
    for (; !tokens.empty(); tokens.pop_back()) {
      if (const Value found = value_at(item.value, tokens)) return found;
    }
    return item.value;
  }
  return {};
}

bool Goal::holds(const Outcome& outcome) const {
  if (outcome.failure) return !wish_.value && category_of(outcome.failure->code) == Category::not_found;
  if (!wish_.value) {
    const auto failed = std::ranges::find_if(
        outcome.items, [this](const Item& item) { return item.failure && item.name == wish_.item; });
    return failed == outcome.items.end() && !found_in(outcome);
  }
  const Value found = found_in(outcome);
  return found && equal(found, wish_.value);
}

bool Goal::is_outside(const Change& change, const Outcome& after) const {
  // A lookup of one key that was not found before.
  if (change.kind == ChangeKind::mended && change.item.empty() && below_.empty() && after.items.size() == 1 &&
      holds_alone(after))
    return false;
  const std::vector<std::string>* place = &below_;
  if (change.item.empty()) {
    place = &whole_;
  } else if (change.item != wish_.item) {
    return true;
  }
  const std::vector<std::string> path = parse_pointer(change.path);
  const std::size_t common = std::min(path.size(), place->size());
  if (!std::equal(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(common), place->begin())) return true;
  if (path.size() >= place->size()) return false;
  // Mappings that lead to the place come and go with it.
  if (change.kind != ChangeKind::added && change.kind != ChangeKind::removed) return true;
  Value at = change.kind == ChangeKind::added ? change.after.value : change.before.value;
  for (const std::string& token : std::span(*place).subspan(path.size())) {
    if (!at.is_mapping() || at.size() != 1) return true;
    at = value_at(at, std::span(&token, 1));
  }
  return !at;
}

}  // namespace strata::analysis::proposing
