// SPDX-License-Identifier: Apache-2.0
#include "deckhand/path/sharing.hpp"

#include <fmt/format.h>

#include "strata/error.hpp"

namespace strata::deckhand {
namespace {

Value member_of(const Value& container, std::size_t position) {
  return container.is_sequence() ? container.items()[position] : container.entries()[position].value;
}

/// Where a step leads; absent: nowhere.
Value follow(const Value& container, const Path::Step& step) {
  if (container.is_sequence()) {
    const auto* index = std::get_if<std::size_t>(&step);
    return index != nullptr && *index < container.size() ? container.items()[*index] : Value();
  }
  const auto* key = std::get_if<Value>(&step);
  const Value* found = container.is_mapping() && key != nullptr ? container.find(*key) : nullptr;
  return found == nullptr ? Value() : *found;
}

}  // namespace

void Sharing::receive(const Value& container) {
  for (std::size_t i = 0; i < container.size(); ++i) {
    const Value member = member_of(container, i);
    if (is_shared(member)) foreign_.insert(identity(member));
  }
}

void Sharing::before_write(const Value& data, std::span<const Path::Step> steps, const Value& value,
                           std::string_view path) {
  // Nobody else holds the data itself.
  Value deepest;
  bool is_of_others = false;
  Value here = data;
  for (const Path::Step& step : steps.first(steps.empty() ? 0 : steps.size() - 1)) {
    here = follow(here, step);
    if (!is_shared(here)) break;
    deepest = here;
    is_of_others = is_of_others || foreign_.contains(identity(here));
  }
  if (!deepest) return;
  if (reaches(value, deepest)) {
    throw Error("deckhand.shared-cycle",
                fmt::format("the value written at '{}' is shared, and would contain itself", path))
        .hint("write `deepcopy: true` in the `src` of the substitution, to copy the value");
  }
  if (is_of_others && (changed_.empty() || changed_.back() != identity(deepest))) changed_.push_back(identity(deepest));
}

bool Sharing::reaches(const Value& value, const Value& container) const {
  if (!is_shared(value)) return false;
  std::unordered_set<const void*> seen;
  std::vector<Value> open{value};
  while (!open.empty()) {
    const Value here = open.back();
    open.pop_back();
    if (!seen.insert(identity(here)).second) continue;
    if (identity(here) == identity(container)) return true;
    for (std::size_t i = 0; i < here.size(); ++i) {
      if (const Value member = member_of(here, i); is_shared(member)) open.push_back(member);
    }
  }
  return false;
}

}  // namespace strata::deckhand
