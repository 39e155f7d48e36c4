// SPDX-License-Identifier: Apache-2.0
#include "searched_sources.hpp"

#include <algorithm>
#include <utility>

#include "evaluation.hpp"

namespace strata::hiera {
DataSource* SearchedLocation::open() const {
  return location.exists ? asked_by->source(layer, entry, location) : nullptr;
}

bool each_location(detail::ViewState& view, const WantedModules& modules,
                   const std::function<bool(const SearchedLocation&)>& use) {
  const auto evaluation = std::make_shared<Evaluation>(view, std::make_shared<Arena>(), nullptr);
  const auto each_of = [&](Layer& layer, std::vector<ResolvedEntry>& entries, std::uint64_t layer_number) {
    constexpr unsigned kEntryBits = 32;
    view.resolve(layer);
    for (std::size_t i = entries.size(); i-- > 0;) {
      ResolvedEntry& entry = entries[i];
      const std::uint64_t place = layer_number << kEntryBits | i << 1U | (entry.locations.size() > 1 ? 1U : 0U);
      for (auto location = entry.locations.rbegin(); location != entry.locations.rend(); ++location) {
        if (!use({.layer = layer, .entry = entry, .location = *location, .place = place, .asked_by = evaluation}))
          return false;
      }
    }
    return true;
  };
  std::uint64_t number = 2;
  for (const std::string& name : view.directory.modules()) {
    number += 2;
    if (modules && !modules(name)) continue;
    bool is_there = false;
    Layer* layer = view.module(name, is_there);
    if (layer == nullptr) continue;
    if (!each_of(*layer, layer->default_entries, number + 1) || !each_of(*layer, layer->entries, number)) return false;
  }
  if (Layer* layer = view.environment(); layer != nullptr && !each_of(*layer, layer->entries, 1)) return false;
  Layer* global = view.global();
  return each_of(*global, global->entries, 0);
}

void each_source(detail::ViewState& view, const WantedModules& modules,
                 const std::function<void(SearchedSource source)>& use) {
  (void)each_location(view, modules, [&use](const SearchedLocation& at) {
    if (DataSource* source = at.open()) {
      use({.source = source,
           .asked_by = at.asked_by,
           .place = at.place,
           .prefix = at.layer.kind == LayerKind::module ? at.layer.module + "::" : std::string(),
           .path = at.location.path});
    }
    return true;
  });
}

std::vector<SearchedSource> searched_sources(detail::ViewState& view, const WantedModules& modules) {
  std::vector<SearchedSource> out;
  each_source(view, modules, [&out](SearchedSource source) { out.push_back(std::move(source)); });
  return out;
}

void list_keys(const SearchedSource& searched, std::vector<std::string_view>& keys) {
  searched.asked_by->check_stop();
  const auto before = static_cast<std::ptrdiff_t>(keys.size());
  searched.asked_by->list(*searched.source, keys);
  if (searched.prefix.empty()) return;
  keys.erase(
      std::remove_if(keys.begin() + before, keys.end(),
                     [&](std::string_view key) { return !key.starts_with(searched.prefix) && key != kLookupOptions; }),
      keys.end());
}

}  // namespace strata::hiera
