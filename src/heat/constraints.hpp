// SPDX-License-Identifier: Apache-2.0
// Checks values against the constraints of their parameters.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "heat/schema.hpp"

namespace strata::heat {

/// The name of a kind of constraint in messages: `AllowedValues`.
[[nodiscard]] std::string_view to_string(Constraint::Kind kind) noexcept;

/// Whether a constraint is allowed for a type: a range for numbers, a length for types that have one.
[[nodiscard]] bool fits(Constraint::Kind kind, ParameterType type) noexcept;

/// Why a value violates a constraint of its parameter, in the reference's words or the template's own. No value if it
/// does not. `value` is the converted value for lists and mappings, and the given value for other types. Hidden values
/// are shown as `******`. Custom constraints need the service's clouds and always pass. Cost: linear in value and
/// constraint, plus that of a pattern. Error `limit.regex`.
[[nodiscard]] std::optional<std::string> why_broken(const Constraint& constraint, const ParameterSchema& schema,
                                                    const Value& value, Arena& arena);

}  // namespace strata::heat
