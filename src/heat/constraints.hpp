// Whether values keep the constraints of their parameters.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "heat/schema.hpp"

namespace strata::heat {

/// The name of a kind of constraint in messages: `AllowedValues`.
[[nodiscard]] std::string_view to_string(Constraint::Kind kind) noexcept;

/// Whether a constraint makes sense for a type: a range for numbers, a length for what has one.
[[nodiscard]] bool fits(Constraint::Kind kind, ParameterType type) noexcept;

/// Why a value breaks a constraint of its parameter, in the reference's words or the template's own; none where it keeps it. `value`: of a list or
/// mapping what was made of it, of other types as it was given. Values of hidden parameters are `******` in the answer. Custom constraints need the
/// service's clouds: they are kept. Cost: linear in value and constraint, and that of a pattern. Error `limit.regex`.
[[nodiscard]] std::optional<std::string> why_broken(const Constraint& constraint, const ParameterSchema& schema, const Value& value, Arena& arena);

}  // namespace strata::heat
