// SPDX-License-Identifier: Apache-2.0
#include "strata/traits.hpp"

#include <array>

#include "deckhand/pegleg/managed.hpp"
#include "strata/deckhand.hpp"

namespace strata::deckhand {
namespace {

constexpr std::array kSections{query::Section{.name = "data"}};
constexpr std::array<std::string_view, 10> kFindings{
    "P001", "P004", "P006", "P008", "P009", "P010", "P011", "childless-abstract", "replacement-chain", "unused-source"};

std::string string_of(const Value* value) {
  return value != nullptr && value->is_text() ? std::string(value->text()) : std::string();
}

std::string item_of(const Value& root) {
  const Value* metadata = root.find("metadata");
  return string_of(root.find("schema")) + '/' +
         string_of(metadata != nullptr && metadata->is_mapping() ? metadata->find("name") : nullptr);
}

bool is_wrapper(const Value& root) { return root.is_mapping() && is_managed(root); }

bool is_yaml(std::string_view /*contents*/) { return true; }

}  // namespace

const query::Traits& traits() {
  static const query::Traits traits{.items = query::ItemKind::document,
                                    .has_documents = true,
                                    .has_statements = true,
                                    .sections = kSections,
                                    .is_wrapper = is_wrapper,
                                    .document_item = item_of,
                                    .secrets = query::SecretDeclarations::encrypted_documents,
                                    .merges_members = false,
                                    .merges_lists = false,
                                    .has_plain_lists = true,
                                    .has_free_names = true,
                                    .profile = &text::pyyaml_json(),
                                    .is_yaml = is_yaml,
                                    .findings = kFindings};
  return traits;
}

}  // namespace strata::deckhand
