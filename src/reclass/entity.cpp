// SPDX-License-Identifier: Apache-2.0
// Reads the files of nodes and classes.
#include <fmt/format.h>

#include <string_view>
#include <unordered_set>
#include <utility>

#include "inventory.hpp"
#include "python/data.hpp"
#include "query.hpp"
#include "resolution.hpp"
#include "strata/builder.hpp"
#include "text/placed_references.hpp"
#include "value/fields.hpp"
#include "value/metered.hpp"
#include "value/with_text_keys.hpp"

namespace strata::reclass {
namespace {

class EntityReader final : public text::PlacedReferences {
 public:
  EntityReader(Sources& texts, const Limits& limits, Entity& out)
      : PlacedReferences(out.document, texts, kReferences, limits), texts_(texts), out_(out), stop_(limits.stop) {}

  void read(const Value& root) {
    const Fields file(root, "the file", errors_);
    std::unordered_set<std::string_view> known;
    if (const Value* names = file.texts("classes", "a list of names")) {
      for (const Value& name : names->items()) {
        check_class(name);
        if (known.insert(name.text()).second) out_.classes.push_back(name);
      }
    }
    if (const Value* names = file.texts("applications", "a list of names")) out_.applications = names->items();
    if (const Value* environment = file.find("environment")) {
      if (environment->is_container()) file.refuse_kind("environment", "a name", *environment);
      out_.environment = *environment;
    }
    out_.parameters = mapping_of(file, "parameters");
    is_exporting_ = true;
    out_.exports = mapping_of(file, "exports");
  }

 private:
  Value mapping_of(const Fields& file, std::string_view name) {
    const Value* mapping = file.find(name);
    if (mapping != nullptr && !mapping->is_mapping()) file.refuse_kind(name, "a mapping", *mapping);
    return mapping == nullptr ? arena().mapping(KeyEquality::python) : placed(*mapping, true);
  }

  [[nodiscard]] Error error(std::string_view code, std::string message, const Value& at) const {
    return Error(code, std::move(message)).at(texts_, at.origin());
  }

  void check_class(const Value& name) {
    stop_.tick();
    if (!name.text().empty() && name.text().find_first_of(" /") == std::string_view::npos) return;
    throw error("reclass.class-name", fmt::format("invalid class name '{}'", name.text()), name)
        .hint("names of classes have dots between their parts: role.web");
  }

  /// A mapping whose keys become text as in Python.
  Value merged(const Value& mapping) override {
    const auto change = [this](const Value& key, const Value& value) {
      const std::size_t prefixes = key.text().find_first_not_of("~=");
      const bool has_prefix = prefixes > 0;
      if (prefixes == std::string_view::npos)
        throw error("reclass.key", "the key of a parameter must not be empty", value);
      out_.has_prefixes = out_.has_prefixes || has_prefix;
      return placed(value, !has_prefix);
    };
    const auto refuse = [this](const Value& key, const Value& written) {
      throw error("reclass.key", fmt::format("two keys are '{}' when they are text", key.text()), written);
    };
    return with_text_keys(
        arena(), mapping, KeyEquality::python, [](const Value& key) { return python::str(key); }, change, refuse);
  }

  Value referring(const Value& text) const override {
    Value made = with_references(arena(), text, texts_);
    const auto query = query_in(made);
    if (!query) return made;
    if (is_exporting_) {
      throw error("reclass.query", "an export cannot be an inventory query", text)
          .hint("queries are evaluated after all exports");
    }
    Arena scratch;
    if (parse_query(scratch, *query, texts_, text.origin()).all_environments) out_.queries_all_environments = true;
    return made;
  }

  Sources& texts_;
  Entity& out_;
  StopCheck stop_;
  bool is_exporting_ = false;
  FieldErrors errors_{.code = "reclass.field", .sources = &texts_};
};

}  // namespace

Reading<Entity> Entity::read(Sources& texts, SourceId source, const Limits& limits) {
  auto out = std::make_shared<Entity>();
  out->document = text::read_yaml(texts, source, text::pyyaml_c(), limits);
  Arena& arena = *out->document.arena;
  const Metered metered(arena, limits.stop);
  const Value& root = out->document.root;
  EntityReader reader(texts, limits, *out);
  reader.read(!root || root.is_null() ? arena.mapping(KeyEquality::python) : root);
  const std::size_t bytes = arena.bytes() + reader.bytes();
  return {.parsed = std::move(out), .bytes = bytes};
}

}  // namespace strata::reclass
