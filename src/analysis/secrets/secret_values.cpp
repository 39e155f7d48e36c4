// SPDX-License-Identifier: Apache-2.0
#include "analysis/secrets/secret_values.hpp"

#include <algorithm>

#include "analysis/secrets/text_forms.hpp"
#include "strata/path.hpp"

// Recursion: bounded by Limits::depth.
namespace strata::analysis {
namespace {

/// What readers marked by its name.
void hide_marked(const Value& value, NodeMasks& masks) {
  if (value.is_secret()) return masks.hide(value);
  if (value.is_sequence()) {
    for (const Value& item : value.items()) hide_marked(item, masks);
  } else if (value.is_container()) {
    for (const Entry& entry : value.entries()) hide_marked(entry.value, masks);
  }
}

/// Texts in texts, as those of a state: what they say of parameters is not looked through.
void hide_nested(const SecretNames& names, const Value& value, NodeMasks& masks) {
  if (value.is_text()) {
    if (value.text().find("parameter") != std::string_view::npos && names.declares_in(value.text())) masks.hide(value);
  } else if (value.is_sequence()) {
    for (const Value& item : value.items()) hide_nested(names, item, masks);
  } else if (value.is_container()) {
    for (const Entry& entry : value.entries()) hide_nested(names, entry.value, masks);
  }
}

void hide_data(const Value& document, NodeMasks& masks) {
  const Value* policy = member_of(document.find("metadata"), "storagePolicy");
  const Value* data = document.find("data");
  if (policy != nullptr && policy->is_text() && policy->text() == "encrypted" && data != nullptr) masks.hide(*data);
}

/// Of a template the defaults of hidden parameters, of an environment their values.
void hide_parameters(const SecretNames& names, const Value& root, NodeMasks& masks) {
  const query::Traits& traits = names.traits();
  const bool declares = traits.is_data_document != nullptr && !traits.is_data_document(root);
  for (const std::string_view section : {"parameters", "Parameters", "parameter_defaults"}) {
    const Value* all = root.find(section);
    if (all == nullptr || !all->is_mapping()) continue;
    for (const Entry& entry : all->entries()) {
      if (!entry.key.is_text() || !names.declares(entry.key.text())) continue;
      if (!declares) {
        masks.hide(entry.value);
        continue;
      }
      for (const std::string_view given : {"default", "Default"}) {
        if (const Value* value = member_of(&entry.value, given)) masks.hide(*value);
      }
    }
  }
}

/// What a mapping declares to be secret.
void hide_declared(const SecretNames& names, const Value& root, NodeMasks& masks) {
  switch (names.traits().secrets) {
    case query::SecretDeclarations::encrypted_documents:
      return hide_data(root, masks);
    case query::SecretDeclarations::converted_keys:
      for (const Entry& entry : root.entries()) {
        if (entry.key.is_text() && names.has(entry.key.text())) masks.hide(entry.value);
      }
      return;
    case query::SecretDeclarations::hidden_parameters:
      if (!names.declares_some()) return;
      hide_parameters(names, root, masks);
      return hide_nested(names, root, masks);
    case query::SecretDeclarations::none:
      break;
  }
}

bool contains_secret(const Value& value, const SecretNames& names, const SecretNames::Names* more) {
  if (!value || value.is_secret()) return value.is_secret();
  if (value.is_sequence())
    return std::ranges::any_of(value.items(), [&](const Value& item) { return contains_secret(item, names, more); });
  return value.is_container() && std::ranges::any_of(value.entries(), [&](const Entry& entry) {
           const std::string key = key_text(entry.key);
           return names.has(key) || (more != nullptr && more->contains(key)) ||
                  contains_secret(entry.value, names, more);
         });
}

}  // namespace

void hide_secrets(const edit::Reading& reading, const SecretNames& names, const SecretNames::Names* more,
                  NodeMasks& masks) {
  for (const text::Document& document : reading.documents) {
    if (!document.root) continue;
    hide_marked(document.root, masks);
    if (!document.root.is_mapping()) continue;
    hide_declared(names, document.root, masks);
    if (more == nullptr) continue;
    for (const Entry& entry : document.root.entries()) {
      if (more->contains(key_text(entry.key))) masks.hide(entry.value);
    }
  }
}

bool has_secrets(const edit::Reading& reading, const SecretNames& names, const SecretNames::Names* more) {
  return std::ranges::any_of(reading.documents,
                             [&](const text::Document& one) { return contains_secret(one.root, names, more); });
}

bool shows_secret(const merge::PathHistory& path, const merge::Contribution& one, const query::Traits& traits) {
  if (one.value.is_secret() || !path.value.is_secret()) return one.value.is_secret();
  // Layers of a mapping that is secret as a whole are all of it.
  return one.fate != merge::Fate::merged || (!one.value.is_leaf() && !traits.has_documents);
}

}  // namespace strata::analysis
