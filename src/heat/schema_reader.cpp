// SPDX-License-Identifier: Apache-2.0
#include "heat/schema_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "heat/constraint_reader.hpp"
#include "heat/template_version.hpp"
#include "python/data.hpp"
#include "strata/builder.hpp"
#include "strata/path.hpp"
#include "strata/scalar_text.hpp"

namespace strata::heat {
namespace {

struct TypeName {
  std::string_view name;
  ParameterType type;
};
constexpr std::array<TypeName, 5> kHotTypes{{{"string", ParameterType::string},
                                             {"number", ParameterType::number},
                                             {"comma_delimited_list", ParameterType::comma_delimited_list},
                                             {"json", ParameterType::json},
                                             {"boolean", ParameterType::boolean}}};
constexpr std::array<TypeName, 5> kCfnTypes{{{"String", ParameterType::string},
                                             {"Number", ParameterType::number},
                                             {"CommaDelimitedList", ParameterType::comma_delimited_list},
                                             {"Json", ParameterType::json},
                                             {"Boolean", ParameterType::boolean}}};

constexpr std::array<std::string_view, 9> kHotKeys{"type",   "description", "default",   "schema", "constraints",
                                                   "hidden", "label",       "immutable", "tags"};
constexpr std::array<std::string_view, 12> kCfnKeys{
    "Type",      "Default",  "NoEcho",   "AllowedValues", "AllowedPattern",        "MaxLength",
    "MinLength", "MaxValue", "MinValue", "Description",   "ConstraintDescription", "Label"};

bool is_hidden(const Value& declaration, bool is_hot) {
  const Value* hidden = declaration.find(is_hot ? "hidden" : "NoEcho");
  if (hidden == nullptr) return false;
  if (is_hot) return python::truth(*hidden);
  if (hidden->kind() == Kind::boolean) return hidden->as_boolean();
  if (!hidden->is_text()) return false;
  constexpr std::string_view kTrue = "true";
  return std::ranges::equal(hidden->text(), kTrue, {},
                            [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
}

class SchemaReader {
 public:
  SchemaReader(const Sources& sources, Arena& arena, const TemplateVersion& version)
      : sources_(sources), arena_(arena), version_(version) {}

  [[nodiscard]] ParameterSchema read(const Value& key, const Value& declaration) const {
    std::string name = key_text(key);
    check_keys(name, key, declaration);
    ParameterSchema schema;
    schema.origin = key.origin();
    schema.kind = key.kind();
    const ConstraintReader constraints(sources_, arena_, name);
    if (version_.is_hot) {
      if (const Value* list = declaration.find("constraints"))
        schema.constraints = constraints.read_hot(*list, version_.has_modulo);
    } else {
      schema.constraints = constraints.read_cfn(declaration);
    }
    const TypeName& type = read_type(name, *declaration.find(type_key()));
    schema.type = type.type;
    schema.type_name = type.name;
    if (const Value* given = declaration.find(version_.is_hot ? "default" : "Default");
        given != nullptr && !given->is_null())
      schema.default_value = *given;
    schema.hidden = is_hidden(declaration, version_.is_hot);
    if (schema.hidden) schema.default_value = schema.default_value.with_secret();
    schema.name = std::move(name);
    return schema;
  }

 private:
  [[nodiscard]] std::string_view type_key() const { return version_.is_hot ? "type" : "Type"; }

  void check_keys(const std::string& name, const Value& key, const Value& declaration) const {
    if (!declaration.is_mapping()) {
      throw Error("heat.template-parameters",
                  fmt::format("the declaration of the parameter '{}' is not a mapping", name))
          .at(sources_, declaration.origin() ? declaration.origin() : key.origin())
          .hint(fmt::format("{}: {{{}: {}}}", name, type_key(), version_.is_hot ? "string" : "String"));
    }
    const auto keys = version_.is_hot ? std::span<const std::string_view>(kHotKeys).first(
                                            version_.has_tags ? kHotKeys.size() : kHotKeys.size() - 1)
                                      : std::span<const std::string_view>(kCfnKeys);
    for (const Entry& entry : declaration.entries()) {
      if (entry.key.is_text() && std::ranges::find(keys, entry.key.text()) != keys.end()) continue;
      throw Error("heat.template-parameters",
                  fmt::format("the parameter '{}' has an unknown key '{}'", name, key_text(entry.key)))
          .at(sources_, entry.key.origin())
          .hint(fmt::format("version {} of templates does not know it", version_.version));
    }
    if (declaration.find(type_key()) == nullptr) {
      throw Error("heat.template-parameters", fmt::format("the parameter '{}' has no type", name))
          .at(sources_, key.origin());
    }
    if (const Value* tags = declaration.find("tags"); version_.has_tags && tags != nullptr && !tags->is_sequence()) {
      throw Error("heat.template-parameters", fmt::format("the tags of the parameter '{}' are not a list", name))
          .at(sources_, tags->origin());
    }
  }

  [[nodiscard]] const TypeName& read_type(const std::string& name, const Value& type) const {
    const auto& types = version_.is_hot ? kHotTypes : kCfnTypes;
    const auto* const found =
        std::ranges::find_if(types, [&](const TypeName& row) { return type.is_text() && row.name == type.text(); });
    if (found != types.end()) return *found;
    const std::string shown = type.is_container() ? std::string(describe(type.kind())) : scalar_text(type);
    throw Error("heat.template-parameters", fmt::format("the parameter '{}' has the unknown type '{}'", name, shown))
        .at(sources_, type.origin())
        .hint(version_.is_hot ? "string, number, comma_delimited_list, json or boolean"
                              : "String, Number, CommaDelimitedList, Json or Boolean");
  }

  const Sources& sources_;
  Arena& arena_;
  const TemplateVersion& version_;
};

}  // namespace

Schemata read_schemata(const Sources& sources, const Value& root, Arena& arena) {
  const TemplateVersion& version = version_of(sources, root);
  Schemata schemata;
  const Value* section = root.find(version.is_hot ? "parameters" : "Parameters");
  if (section == nullptr || !python::truth(*section)) return schemata;
  if (!section->is_mapping()) {
    throw Error("heat.template-parameters",
                fmt::format("the parameters of a template are a mapping, not {}", describe(section->kind())))
        .at(sources, section->origin());
  }
  const SchemaReader reader(sources, arena, version);
  for (const Entry& entry : section->entries()) schemata.add(reader.read(entry.key, entry.value));
  return schemata;
}

void gather_hidden(const Value& root, std::set<std::string, std::less<>>& names) {
  if (!root.is_mapping()) return;
  for (const bool is_hot : {true, false}) {
    const Value* section = root.find(is_hot ? "parameters" : "Parameters");
    if (section == nullptr || !section->is_mapping()) continue;
    for (const Entry& entry : section->entries()) {
      if (entry.value.is_mapping() && is_hidden(entry.value, is_hot)) names.insert(key_text(entry.key));
    }
  }
}

Value with_marked_defaults(Arena& arena, const Value& root) {
  Value out = root;
  if (!root.is_mapping()) return out;
  for (const bool is_hot : {true, false}) {
    const Entry* section = root.find_entry(is_hot ? "parameters" : "Parameters");
    if (section == nullptr || !section->value.is_mapping()) continue;
    const auto declarations = section->value.entries();
    std::optional<MappingBuilder> marked;
    for (std::size_t i = 0; i < declarations.size(); ++i) {
      const Value& declaration = declarations[i].value;
      if (!declaration.is_mapping() || !is_hidden(declaration, is_hot)) continue;
      const Entry* given = declaration.find_entry(is_hot ? "default" : "Default");
      if (given == nullptr) continue;
      MappingBuilder copy = MappingBuilder::copy_of(arena, declaration);
      copy.replace(static_cast<std::size_t>(given - declaration.entries().data()), given->value.with_secret());
      if (!marked) marked = MappingBuilder::copy_of(arena, section->value);
      marked->replace(i, copy.finish());
    }
    if (!marked) continue;
    MappingBuilder changed = MappingBuilder::copy_of(arena, out);
    changed.replace(static_cast<std::size_t>(section - root.entries().data()), marked->finish());
    out = changed.finish();
  }
  return out;
}

}  // namespace strata::heat
