// SPDX-License-Identifier: Apache-2.0
#include "document.hpp"

#include <fmt/format.h>

#include "strata/builder.hpp"
#include "strata/secret_keys.hpp"

namespace strata::deckhand {
namespace {

Value member_or_absent(const Value& mapping, std::string_view key) {
  if (!mapping.is_mapping()) return {};
  const Value* found = mapping.find(key);
  return found == nullptr ? Value() : *found;
}

bool is_flag_set(const Value& value) { return value.kind() == Kind::boolean && value.as_boolean(); }

}  // namespace

Identity Document::identity() const {
  return {.schema = std::string(schema.text()), .layer = std::string(layer), .name = std::string(name)};
}

std::string Document::title() const {
  std::string out;
  out.reserve(schema_name().size() + layer.size() + name.size() + 2);
  out += schema_name();
  if (!out.empty() && !(layer.empty() && name.empty())) out += ' ';
  if (!layer.empty()) out.append(layer).append(1, '/');
  return out.append(name);
}

Document parse_document(const Value& root, Arena& arena) {
  Document document;
  document.origin = root.origin();
  document.schema = member_or_absent(root, "schema");
  document.metadata = member_or_absent(root, "metadata");
  document.data = member_or_absent(root, "data");
  if (!document.data) document.data = Value::null().with_origin(root.origin());
  const Value& metadata = document.metadata;
  document.is_control = member_or_absent(metadata, "schema").text().starts_with("metadata/Control");
  document.name = member_or_absent(metadata, "name").text();
  document.labels = member_or_absent(metadata, "labels");
  const Value policy = member_or_absent(metadata, "storagePolicy");
  document.is_encrypted = policy.is_text() && policy.text() == "encrypted";
  const Value layering = member_or_absent(metadata, "layeringDefinition");
  const Value layer = member_or_absent(layering, "layer");
  if (layer.is_text()) {
    document.layer = layer.text();
    document.layer_value = layer;
  }
  if (document.is_encrypted) document.data = with_secrets(arena, document.data);
  if (document.is_control) return document;
  document.selector = member_or_absent(layering, "parentSelector");
  document.actions = member_or_absent(layering, "actions");
  document.is_abstract = is_flag_set(member_or_absent(layering, "abstract"));
  document.is_replacement = is_flag_set(member_or_absent(metadata, "replacement"));
  document.substitutions = member_or_absent(metadata, "substitutions");
  return document;
}

Finding finding(const Sources& sources, const Document& document, std::string code, const std::string& message,
                Origin where, std::string hint) {
  std::string whole = fmt::format("{}: {}", document.identity().to_string(), message);
  return {
      .diagnostic = diagnostic(sources, std::move(code), std::move(whole), where, std::move(hint), document.lines()),
      .document = document.identity()};
}

}  // namespace strata::deckhand
