// SPDX-License-Identifier: Apache-2.0
#include "strata/traits.hpp"

#include <array>

#include "strata/reclass.hpp"

namespace strata::reclass {
namespace {

// Lists of parameters are put one behind the other; those of classes and applications hold each name once.
constexpr std::array kSections{
    query::Section{.name = "parameters", .joins_items = false},
    query::Section{.name = "applications", .least_depth = 1, .most_depth = 2, .knockout_prefix = "~"},
    query::Section{.name = "classes", .least_depth = 1, .most_depth = 2},
    query::Section{.name = "environment", .least_depth = 1, .most_depth = 2}};
constexpr std::array<std::string_view, 2> kExtensions{".yaml", ".yml"};
constexpr std::array<std::string_view, 4> kFindings{"idle-knockout", "unknown-parameter", "unused-file", "unused-key"};

query::ReferredNames references(std::string_view string) { return {.items = names_in(string)}; }

}  // namespace

const query::Traits& traits() {
  static const query::Traits traits{.items = query::ItemKind::section_member,
                                    .has_statements = true,
                                    .sections = kSections,
                                    .member_prefixes = "~=",
                                    .reference_syntax = query::ReferenceSyntax::dollar,
                                    .references = references,
                                    .has_free_names = true,
                                    .feeds_code = true,
                                    .profile = &text::pyyaml_c(),
                                    .extensions = kExtensions,
                                    .findings = kFindings};
  return traits;
}

}  // namespace strata::reclass
