#include "searched_sources.hpp"

#include <algorithm>

#include "evaluation.hpp"

namespace strata::hiera {
namespace {

class Collector {
 public:
  explicit Collector(detail::ViewState& view) : view_(view), evaluation_(std::make_shared<Evaluation>(view, std::make_shared<Arena>(), nullptr)) {}

  void add(Layer& layer, std::vector<ResolvedEntry>& entries, std::uint64_t layer_number) {
    constexpr unsigned kEntryBits = 32;
    view_.resolve(layer);
    const std::string prefix = layer.kind == LayerKind::module ? layer.module + "::" : std::string();
    for (std::size_t i = entries.size(); i-- > 0;) {
      ResolvedEntry& entry = entries[i];
      const std::uint64_t place = layer_number << kEntryBits | i << 1U | (entry.locations.size() > 1 ? 1U : 0U);
      for (auto location = entry.locations.rbegin(); location != entry.locations.rend(); ++location) {
        if (!location->exists) continue;
        if (DataSource* source = evaluation_->source(layer, entry, *location)) {
          out_.push_back({.source = source, .asked_by = evaluation_, .place = place, .prefix = prefix, .path = location->path});
        }
      }
    }
  }

  std::vector<SearchedSource> take() { return std::move(out_); }

 private:
  detail::ViewState& view_;
  std::shared_ptr<Evaluation> evaluation_;
  std::vector<SearchedSource> out_;
};

}  // namespace

std::vector<SearchedSource> searched_sources(detail::ViewState& view, const std::function<bool(std::string_view)>& modules) {
  Collector collector(view);
  std::uint64_t number = 2;
  for (const std::string& name : view.directory.modules()) {
    number += 2;
    if (modules && !modules(name)) continue;
    bool is_there = false;
    if (Layer* layer = view.module(name, is_there)) {
      collector.add(*layer, layer->default_entries, number + 1);
      collector.add(*layer, layer->entries, number);
    }
  }
  if (Layer* layer = view.environment()) collector.add(*layer, layer->entries, 1);
  Layer* global = view.global();
  collector.add(*global, global->entries, 0);
  return collector.take();
}

void list_keys(const SearchedSource& searched, std::vector<std::string_view>& keys) {
  searched.asked_by->check_stop();
  const auto before = static_cast<std::ptrdiff_t>(keys.size());
  searched.asked_by->list(*searched.source, keys);
  if (searched.prefix.empty()) return;
  keys.erase(std::remove_if(keys.begin() + before, keys.end(),
                            [&](std::string_view key) { return !key.starts_with(searched.prefix) && key != kLookupOptions; }),
             keys.end());
}

}  // namespace strata::hiera
