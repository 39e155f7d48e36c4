#include "inventory.hpp"

#include <fmt/format.h>

#include "puppet/characters.hpp"
#include "resource_names.hpp"
#include "strata/text.hpp"

namespace strata::bindings::queries {
namespace {

class Inventory final : public QueryService {
 public:
  Inventory(const Sources& sources, const text::Document& document, std::string title) : title_(std::move(title)) {
    Value root = document.root;
    if (!root || root.is_null()) root = document.arena->sequence();
    Value resources = root;
    if (root.is_mapping()) {
      resources = document.arena->sequence();
      for (const Entry& entry : root.entries()) {
        const std::string_view name = entry.key.is_text() ? entry.key.text() : std::string_view();
        if (name == "resources" && !entry.value.is_null()) resources = entry.value;
        if (name == "types" && !entry.value.is_null()) read_types(sources, entry.value);
      }
    }
    if (!resources.is_sequence()) {
      throw Error("query.inventory", fmt::format("{}: the resources must be a list, not {}", title_, describe(resources.kind())))
          .at(sources, resources.origin())
          .hint("write a list of resources, or {resources: […], types: {…}}");
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
  void read_types(const Sources& sources, const Value& types) {
    const auto fail = [&](const Value& at, const char* message) {
      throw Error("query.inventory", fmt::format("{}: {}", title_, message)).at(sources, at.origin());
    };
    if (!types.is_mapping()) fail(types, "'types' must be a mapping of types to the names of their parameters");
    for (const Entry& entry : types.entries()) {
      if (!entry.key.is_text()) fail(entry.key, "names of types are texts");
      if (!entry.value.is_sequence()) fail(entry.value, "the parameters of a type must be a list of names");
      std::vector<std::string>& names = types_[puppet::lower(type_name(entry.key.text()))];
      for (const Value& name : entry.value.items()) {
        if (!name.is_text()) fail(name, "names of parameters are texts");
        names.emplace_back(name.text());
      }
    }
  }

  std::string title_;
  std::map<std::string, std::vector<std::string>, std::less<>> types_;
  std::unique_ptr<ResourceSet> resources_;
};

}  // namespace

std::unique_ptr<QueryService> read_inventory(Sources& sources, SourceId source, const Limits& limits) {
  const std::string& file = sources.file(source);
  const text::Document document =
      file.ends_with(".json") ? text::read_json(sources, source, limits) : text::read_yaml(sources, source, text::core12(), limits);
  return std::make_unique<Inventory>(sources, document, fmt::format("the inventory {}", file));
}

}  // namespace strata::bindings::queries
