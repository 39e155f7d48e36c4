// SPDX-License-Identifier: Apache-2.0
#include "strata/traits.hpp"

#include <array>

#include "strata/heat.hpp"

namespace strata::heat {
namespace {

constexpr std::array<std::string_view, 3> kFindings{"missing-file", "undeclared-parameter", "unused-registry"};
constexpr std::array<std::string_view, 2> kParameterSections{"parameter_defaults", "parameters"};

/// Templates have members with the names of an environment's sections.
bool is_environment(const Value& root) {
  return !root.is_mapping() ||
         (root.find("heat_template_version") == nullptr && root.find("HeatTemplateFormatVersion") == nullptr &&
          root.find("AWSTemplateFormatVersion") == nullptr);
}

bool is_yaml(std::string_view /*contents*/) { return true; }

query::Traits make_traits() {
  return {.has_statements = true,
          .least_depth = 2,
          .is_data_document = is_environment,
          .secrets = query::SecretDeclarations::hidden_parameters,
          .has_plain_lists = true,
          .profile = &text::heat(),
          .is_yaml = is_yaml,
          .findings = kFindings};
}

}  // namespace

const query::Traits& traits() {
  static const query::Traits traits = make_traits();
  return traits;
}

const query::Traits& traits_of_parameters() {
  static const query::Traits traits = [] {
    query::Traits out = make_traits();
    out.known_members = kParameterSections;
    out.unknown_members = query::UnknownMembers::ignored;
    out.has_all_values = false;  // Nested templates take defaults of names that the outer one does not declare.
    return out;
  }();
  return traits;
}

}  // namespace strata::heat
