// SPDX-License-Identifier: Apache-2.0
#include "bindings/injector/layer_sources.hpp"

namespace strata::bindings {

merge::Traced LayerSources::ask(const Source& source, std::string_view name) {
  const merge::LayerId before = provenance_.layers();
  const merge::Traced value = source.source->find(std::string(name));
  if (value.value && provenance_.is_kept()) provenance_.adopt(before, told_of(source));
  return value;
}

StatementReport LayerSources::told_of(const Source& source) const {
  StatementReport told;
  told.layer = composition_.layer_name(source.layer);
  told.document = source.source->title();
  told.category = "common";
  told.statement = "data";
  return told;
}

LayerSources::Found LayerSources::ask_sources(std::uint32_t key, Rank above, Rank below) {
  const KeyText text = composition_.text(key);
  if (!text.type.empty()) return {};
  for (const Source& source : composition_.key_sources()) {
    const Rank rank = composition_.rank_of_source(source.layer);
    if (rank < above || rank >= below) continue;
    const merge::Traced value = ask(source, text.name);
    if (value.value) return {value, &source};
  }
  return {};
}

bool LayerSources::has_source_between(std::uint32_t key, Rank above, Rank below) {
  if (composition_.key_sources().empty()) return false;
  return ask_sources(key, above + 1, below).source != nullptr;
}

std::vector<std::string> LayerSources::keys() const {
  std::vector<std::string> out;
  for (const Source& source : composition_.key_sources()) {
    for (std::string& key : source.source->keys()) out.push_back(std::move(key));
  }
  return out;
}

}  // namespace strata::bindings
