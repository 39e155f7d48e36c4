// SPDX-License-Identifier: Apache-2.0
#include "bindings/injector/provenance.hpp"

#include <fmt/format.h>

#include <array>

namespace strata::bindings {

merge::Traced Provenance::record(const Production& work, const Value& value, std::span<const merge::Traced> inputs) {
  if (!recorder_.keeps()) return {value, {}};
  StatementReport told = composition_.told(*work.statement, work.document, work.guard);
  if (const auto resource = answers_.origin_of(value.origin())) {
    told.via = fmt::format("{}[{}]", resource->type, resource->title);
    if (!resource->certname.empty()) told.via += fmt::format(" of {}", resource->certname);
    if (!resource->parameter.empty()) told.via += fmt::format(", parameter {}", resource->parameter);
  }
  return record(value, told, inputs);
}

merge::Traced Provenance::record(const Value& value, const StatementReport& told,
                                 std::span<const merge::Traced> inputs) {
  if (!recorder_.keeps()) return {value, {}};
  const merge::Slot layer =
      recorder_.add_layer(told.layer, fmt::format("{}, {}, {}", told.document, told.category, told.statement));
  told_.insert_or_assign(layer.layer(), told).first->second.in_history = true;
  const merge::Traced own{value, layer};
  if (inputs.empty()) return own;
  std::vector<merge::Traced> all(inputs.begin(), inputs.end());
  all.push_back(own);
  return recorder_.derive(value, all);
}

merge::Traced Provenance::made_of(const Value& value, const merge::Traced& inputs, merge::LayerId own) {
  if (value.is_leaf() || value.is_secret()) {
    const std::array<merge::Traced, 2> both{inputs, merge::Traced{value, merge::Slot(own)}};
    return recorder_.derive(value, both);
  }
  std::vector<merge::Traced> members;
  members.reserve(value.size());
  for (std::size_t i = 0; i < value.size(); ++i) {
    members.push_back(made_of(value.is_sequence() ? value.items()[i] : value.entries()[i].value, inputs, own));
  }
  return recorder_.compose(value, members);
}

StatementReport* Provenance::told(merge::LayerId layer) noexcept {
  const auto found = told_.find(layer);
  return found == told_.end() ? nullptr : &found->second;
}

void Provenance::adopt(merge::LayerId first, const StatementReport& told) {
  for (merge::LayerId layer = first; layer < layers(); ++layer) {
    StatementReport own = told;
    own.via = recorder_.history()->layer_name(layer);
    told_.emplace(layer, std::move(own));
  }
}

const StatementReport* Provenance::told(merge::LayerId layer) const noexcept {
  const auto found = told_.find(layer);
  return found == told_.end() ? nullptr : &found->second;
}

Value Provenance::used(const merge::Traced& value) {
  if (recorder_.keeps() && !inputs_.empty()) inputs_.back()->push_back(value);
  return value.value;
}

}  // namespace strata::bindings
