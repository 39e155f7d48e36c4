// SPDX-License-Identifier: Apache-2.0
#include "filters.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "strata/near_names.hpp"

namespace strata::deckhand {
namespace {

bool is_one_of(std::string_view text, const std::vector<std::string>& wanted) {
  return wanted.empty() || std::ranges::find(wanted, text) != wanted.end();
}

/// All of it, or its first parts.
bool has_schema(std::string_view schema, std::string_view wanted) {
  return schema == wanted || (schema.starts_with(wanted) && !wanted.empty() && schema[wanted.size()] == '/');
}

/// Warns of what nothing has. `names`: the names that there are, for the hint.
template <class Has>
void warn_of(std::string_view what, const std::vector<std::string>& wanted, const std::vector<std::string_view>& names,
             Diagnostics& diagnostics, const Has& has) {
  for (const std::string& one : wanted) {
    if (std::ranges::any_of(names, [&](std::string_view name) { return has(name, one); })) continue;
    const std::string_view near = nearest_name(names, one);
    diagnostics.warn({.code = "deckhand.unmatched",
                      .message = fmt::format("no rendered document has the {} '{}'", what, one),
                      .where = {},
                      .notes = {},
                      .hint = near.empty() ? std::string() : fmt::format("did you mean '{}'?", near)});
  }
}

/// Once each, so that the search for a near one is short.
std::vector<std::string_view> distinct(std::vector<std::string_view> names) {
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

void warn_of_unmatched(std::span<const Document> documents, const Filters& filters, Diagnostics& diagnostics) {
  if (filters.schemas.empty() && filters.layers.empty() && filters.names.empty()) return;
  std::vector<std::string_view> schemas;
  std::vector<std::string_view> layers;
  std::vector<std::string_view> names;
  for (const Document& document : documents) {
    if (!document.is_output()) continue;
    schemas.push_back(document.schema_name());
    if (!document.layer.empty()) layers.push_back(document.layer);
    names.push_back(document.name);
  }
  const auto is_equal = [](std::string_view name, const std::string& wanted) { return name == wanted; };
  warn_of("schema", filters.schemas, distinct(std::move(schemas)), diagnostics, has_schema);
  warn_of("layer", filters.layers, distinct(std::move(layers)), diagnostics, is_equal);
  warn_of("name", filters.names, distinct(std::move(names)), diagnostics, is_equal);
}

bool is_wanted(const Document& document, const Filters& filters) {
  const std::string_view schema = document.schema_name();
  if (!filters.schemas.empty() &&
      std::ranges::none_of(filters.schemas, [schema](const std::string& one) { return has_schema(schema, one); })) {
    return false;
  }
  if (!filters.layers.empty() && document.layer.empty()) return false;
  if (!is_one_of(document.layer, filters.layers) || !is_one_of(document.name, filters.names)) return false;
  return std::ranges::all_of(filters.labels, [&document](const auto& label) {
    const Value* found = document.labels ? document.labels.find(label.first) : nullptr;
    return found != nullptr && found->is_text() && found->text() == label.second;
  });
}

}  // namespace strata::deckhand
