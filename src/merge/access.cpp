// SPDX-License-Identifier: Apache-2.0
#include "access.hpp"

#include <algorithm>
#include <cmath>

#include "recording.hpp"

namespace strata::merge {

std::size_t position_of(const Value& container, const Path::Step& step) {
  if (container.is_sequence()) {
    const auto* index = std::get_if<std::size_t>(&step);
    return index != nullptr && *index < container.size() ? *index : Arena::npos;
  }
  const auto* key = std::get_if<Value>(&step);
  if (!container.is_container() || key == nullptr) return Arena::npos;
  const auto is_nan = [](const Value& value) {
    return value.kind() == Kind::floating && std::isnan(value.as_floating());
  };
  if (!is_nan(*key)) return Arena::index_of(container, *key);
  // Not-a-number equals no key, itself neither: a way that leads through one must still be found again.
  const auto entries = container.entries();
  const auto found = std::ranges::find_if(entries, is_nan, &Entry::key);
  return found == entries.end() ? Arena::npos : static_cast<std::size_t>(found - entries.begin());
}

Value member_at(const Value& container, std::size_t position) {
  const Value value = container.is_sequence() ? container.items()[position] : container.entries()[position].value;
  return container.is_secret() ? value.with_secret() : value;
}

Traced child_at(const Traced& container, std::size_t position) {
  return {member_at(container.value, position), Recording::child(container, position)};
}

}  // namespace strata::merge
