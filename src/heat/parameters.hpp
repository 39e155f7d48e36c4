// The values that a stack finally uses.
#pragma once

#include "heat/schema.hpp"
#include "strata/merge.hpp"
#include "strata/session.hpp"

namespace strata::heat {

/// For every declared parameter, in the order of `schemata`: `{value, text, hidden}`. A value of `parameters` wins over one of `parameter_defaults`,
/// and that over the default of the template; null counts as not given. `value` is in the parameter's type (marked secret where hidden), `text` as
/// the reference shows it. Names in `parameter_defaults` that nobody declares do not count. Errors, the first in this order: `heat.parameter-unknown`
/// for a name in `parameters` that is not declared; then parameter by parameter `heat.parameter-schema` (a constraint does not fit the type, the
/// template's default breaks one), `heat.parameter-missing`, `heat.parameter-value` (the value is not of the type or breaks a constraint);
/// `limit.regex`. Hidden values do not stand in them. A history gets a layer for the template, below all others. Cost: linear in
/// the values, and that of patterns. Rule: docs/heat/parameters.md.
[[nodiscard]] merge::Traced effective_parameters(const Schemata& schemata, const merge::Traced& parameters, const merge::Traced& parameter_defaults,
                                                 Session& session);

/// The declarations of a stack without a template: every name that has a value other than null, of the type that the value has (a mapping: json, a
/// sequence: comma_delimited_list).
[[nodiscard]] Schemata schemata_of_values(const Value& parameters, const Value& parameter_defaults);

}  // namespace strata::heat
