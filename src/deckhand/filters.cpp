#include "filters.hpp"

#include <algorithm>

namespace strata::deckhand {
namespace {

bool is_one_of(std::string_view text, const std::vector<std::string>& wanted) {
  return wanted.empty() || std::ranges::find(wanted, text) != wanted.end();
}

/// All of it, or its first parts.
bool has_schema(std::string_view schema, std::string_view wanted) {
  return schema == wanted || (schema.starts_with(wanted) && !wanted.empty() && schema[wanted.size()] == '/');
}

}  // namespace

bool is_wanted(const Document& document, const Filters& filters) {
  const std::string_view schema = document.schema_name();
  if (!filters.schemas.empty() && std::ranges::none_of(filters.schemas, [schema](const std::string& one) { return has_schema(schema, one); })) {
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
