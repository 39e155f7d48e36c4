// SPDX-License-Identifier: Apache-2.0
// The values that a stack uses.
#pragma once

#include "heat/schema.hpp"
#include "strata/merge.hpp"
#include "strata/session.hpp"

namespace strata::heat {

/// For every declared parameter, in the order of `schemata`: `{value, text, hidden}`. A value in `parameters` overrides
/// one in `parameter_defaults`, which overrides the template's default. Null counts as missing. `value` has the
/// parameter's type and is secret if hidden; `text` is the reference's form. Undeclared names in `parameter_defaults`
/// are ignored. Errors, in this order: `heat.parameter-unknown` for an undeclared name in `parameters`; then for each
/// parameter `heat.parameter-schema` (a constraint does not match the type, or the template's default violates one),
/// `heat.parameter-missing`, `heat.parameter-value` (the value does not have the type or violates a constraint);
/// `limit.regex`. They do not contain hidden values. A history gets a layer for the template, below all others. Cost:
/// linear in the values, plus that of patterns. Rule: docs/heat/parameters.md.
[[nodiscard]] merge::Traced effective_parameters(const Schemata& schemata, const merge::Traced& parameters,
                                                 const merge::Traced& parameter_defaults, Session& session);

/// Declarations for a stack without a template: every name with a value other than null, with the type of its value (a
/// mapping: json, a sequence: comma_delimited_list).
[[nodiscard]] Schemata schemata_of_values(const Value& parameters, const Value& parameter_defaults);

}  // namespace strata::heat
