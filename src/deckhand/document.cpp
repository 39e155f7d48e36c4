// SPDX-License-Identifier: Apache-2.0
#include "document.hpp"

#include <fmt/format.h>

#include "strata/builder.hpp"
#include "strata/secret_keys.hpp"

namespace strata::deckhand {
namespace {

Value member(const Value& mapping, std::string_view key) {
  if (!mapping.is_mapping()) return {};
  const Value* found = mapping.find(key);
  return found == nullptr ? Value() : *found;
}

bool is_true(const Value& value) { return value.kind() == Kind::boolean && value.as_boolean(); }

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
  document.schema = member(root, "schema");
  document.metadata = member(root, "metadata");
  document.data = member(root, "data");
  if (!document.data) document.data = Value::null().with_origin(root.origin());
  const Value& metadata = document.metadata;
  document.is_control = member(metadata, "schema").text().starts_with("metadata/Control");
  document.name = member(metadata, "name").text();
  document.labels = member(metadata, "labels");
  const Value policy = member(metadata, "storagePolicy");
  document.is_encrypted = policy.is_text() && policy.text() == "encrypted";
  const Value layering = member(metadata, "layeringDefinition");
  const Value layer = member(layering, "layer");
  if (layer.is_text()) {
    document.layer = layer.text();
    document.layer_value = layer;
  }
  if (document.is_encrypted) document.data = with_secrets(arena, document.data);
  if (document.is_control) return document;
  document.selector = member(layering, "parentSelector");
  document.actions = member(layering, "actions");
  document.is_abstract = is_true(member(layering, "abstract"));
  document.is_replacement = is_true(member(metadata, "replacement"));
  document.substitutions = member(metadata, "substitutions");
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
