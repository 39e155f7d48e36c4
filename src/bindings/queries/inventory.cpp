// SPDX-License-Identifier: Apache-2.0
#include "inventory.hpp"

#include <fmt/format.h>

#include "puppet/characters.hpp"
#include "resource_names.hpp"
#include "strata/text.hpp"
#include "value/fields.hpp"

namespace strata::bindings::queries {
namespace {

class Inventory final : public QueryService {
 public:
  Inventory(const Sources& sources, const text::Document& document, std::string title) : title_(std::move(title)) {
    Value root = document.root;
    if (!root || root.is_null()) root = document.arena->sequence();
    Value resources = root;
    FieldErrors errors{.code = "query.inventory", .sources = &sources, .prefix = title_ + ": "};
    if (root.is_mapping()) {
      const Fields fields(root, "an inventory", errors);
      if (const Value* types = fields.mapping("types", "a mapping from types to the names of their parameters"))
        read_types(*types, errors);
      errors.hint = kHint;
      const Value* list = fields.list("resources", "a list of resources");
      resources = list != nullptr ? *list : document.arena->sequence();
    } else if (!root.is_sequence()) {
      throw Error(errors.code, errors.prefix + wrong_kind("the resources", "a list", root))
          .at(sources, root.origin())
          .hint(kHint);
    }
    resources_ = std::make_unique<ResourceSet>(sources, document.arena, resources, title_);
  }

  const ResourceSet& ask(const Query& /*query*/) override { return *resources_; }

  [[nodiscard]] std::optional<std::vector<std::string>> parameter_names(std::string_view type) const override {
    const auto found = types_.find(puppet::lower(type));
    return found == types_.end() ? std::nullopt : std::optional(found->second);
  }

  [[nodiscard]] std::string title() const override { return title_; }

 private:
  static constexpr const char* kHint = "write a list of resources, or {resources: […], types: {…}}";

  void read_types(const Value& types, const FieldErrors& errors) {
    const Fields fields(types, "'types'", errors);
    for (const Entry& entry : types.entries()) {
      std::vector<std::string>& names = types_[puppet::lower(type_name(entry.key.text()))];
      const Value* parameters = fields.texts(entry.key.text(), "a list of names");
      if (parameters == nullptr) fields.refuse_kind(entry.key.text(), "a list of names", entry.value);
      for (const Value& name : parameters->items()) names.emplace_back(name.text());
    }
  }

  std::string title_;
  std::map<std::string, std::vector<std::string>, std::less<>> types_;
  std::unique_ptr<ResourceSet> resources_;
};

}  // namespace

std::unique_ptr<QueryService> read_inventory(Sources& sources, SourceId source, const Limits& limits) {
  const std::string& file = sources.file(source);
  const text::Document document = file.ends_with(".json") ? text::read_json(sources, source, limits)
                                                          : text::read_yaml(sources, source, text::core12(), limits);
  return std::make_unique<Inventory>(sources, document, fmt::format("the inventory {}", file));
}

}  // namespace strata::bindings::queries
