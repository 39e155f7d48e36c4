// SPDX-License-Identifier: Apache-2.0
#include "strata/traits.hpp"

#include <array>

#include "lookup_options.hpp"
#include "strata/hiera.hpp"

namespace strata::hiera {
namespace {

constexpr std::array kSettings{kLookupOptions};
constexpr std::array<std::string_view, 5> kExtensions{".yaml", ".yml", ".json", ".eyaml", ".conf"};
constexpr std::array<std::string_view, 10> kFindings{
    "idle-knockout",    "idle-options",      "knockout-key", "legacy-fact", "unknown-parameter",
    "unknown-variable", "unreachable-level", "unused-file",  "unused-key",  "visible-knockout"};

query::ReferredNames references(std::string_view string) {
  ExpressionNames names = names_in(string);
  return {.variables = std::move(names.variables), .items = std::move(names.keys)};
}

}  // namespace

const query::Traits& traits() {
  static const query::Traits traits{.items = query::ItemKind::root_member,
                                    .is_keyed = true,
                                    .orders_members = true,
                                    .missing_key_code = "hiera.key-not-found",
                                    .has_statements = true,
                                    .settings = kSettings,
                                    .options_key = kLookupOptions,
                                    .reference_syntax = query::ReferenceSyntax::percent,
                                    .references = references,
                                    .secrets = query::SecretDeclarations::converted_keys,
                                    .has_free_names = true,
                                    .feeds_code = true,
                                    .profile = &text::psych(),
                                    .json = text::kRubyJson,
                                    .extensions = kExtensions,
                                    .reads_hocon = true,
                                    .findings = kFindings};
  return traits;
}

}  // namespace strata::hiera
