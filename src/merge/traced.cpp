// SPDX-License-Identifier: Apache-2.0
#include "strata/traced.hpp"

#include <algorithm>
#include <memory>

#include "access.hpp"
#include "recording.hpp"
#include "value/growable.hpp"

namespace strata::merge {

Traced Builder::member(const Traced& mapping, std::string_view key) {
  if (!mapping.value.is_mapping()) return {};
  const Entry* found = mapping.value.find_entry(key);
  return found == nullptr ? Traced{}
                          : child_at(mapping, static_cast<std::size_t>(found - mapping.value.entries().data()));
}

Traced Builder::with(const Traced& container, std::span<const Changed> changed) const {
  const std::size_t size = container.value.size();
  const auto stays = std::make_unique<bool[]>(size);  // NOLINT(modernize-avoid-c-arrays): vector<bool> has no span
  std::fill_n(stays.get(), size, true);
  Traced made{Growable::copy(*arena_, container.value), {}};
  Growable::set_owner(made.value, nullptr);
  bool any_removed = false;
  for (const Changed& one : changed) {
    stays[one.index] = static_cast<bool>(one.now.value);
    any_removed = any_removed || !one.now.value;
    if (made.value.is_sequence()) {
      Growable::replace(made.value, one.index, one.now.value);
    } else {
      Growable::replace_entry(made.value, one.index, one.now.value);
    }
  }
  if (keeps()) {
    Recording recording(*recorder_->history());
    detail::ContainerNode* node = recording.copy(container, nullptr);
    for (const Changed& one : changed) {
      node->children[one.index] = one.now.slot;
      if (one.now.value) continue;
      const Value key = container.value.is_sequence() ? Value() : container.value.entries()[one.index].key;
      recording.add_gone(*node,
                         {.key = key, .index = one.index, .is_tail = false, .what = one.now, .earlier = nullptr});
    }
    if (any_removed) Recording::keep(*node, {stays.get(), size});
    made.slot = Slot(node);
  }
  if (!any_removed) return made;
  if (!made.value.is_sequence()) {
    Growable::keep_entries(*arena_, made.value, {stays.get(), size});
    return made;
  }
  std::vector<Value> left;
  for (std::size_t i = 0; i < size; ++i) {
    if (stays[i]) left.push_back(made.value.items()[i]);
  }
  made.value = arena_->sequence(left).with_origin(container.value.origin()).with_secret(container.value.is_secret());
  return made;
}

}  // namespace strata::merge
