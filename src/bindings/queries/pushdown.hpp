// SPDX-License-Identifier: Apache-2.0
// The part of a query that PuppetDB can answer. Rule: docs/bindings/queries.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "service.hpp"

namespace strata::bindings::queries {

/// The direction in which a filter may be wrong.
enum class Bound : std::uint8_t {
  above,  ///< It accepts all matches, and perhaps more.
  below,  ///< It accepts only matches, perhaps not all. Its negation is `above` for the negated condition.
};

/// The filter for a condition in PuppetDB's abstract syntax: `["and", ["=", "exported", true], …]`. What PuppetDB
/// cannot express is widened: the filter accepts every resource that matches. Absent: every resource.
[[nodiscard]] Value pushed_filter(Arena& arena, const Condition& condition);
/// The whole query: `["from", "resources", …]`, in one line of JSON. `own_certname`: its resources are excluded; may be
/// empty.
[[nodiscard]] std::string pushed_query(const Query& query, std::string_view own_certname = {});

/// A regular expression for PostgreSQL, to which PuppetDB passes it, that matches at least (or at most) where `pattern`
/// does. No value if a part of it has another meaning, or none, in PostgreSQL. Expressions of `above` may begin with
/// the option `(?w)`: `^` and `$` match at lines.
[[nodiscard]] std::optional<std::string> pushed_pattern(std::string_view pattern, Bound bound);
/// A regular expression that matches a text exactly, ignoring the case of ASCII letters. No value if the text is too
/// long for that.
[[nodiscard]] std::optional<std::string> pushed_text(std::string_view text);

}  // namespace strata::bindings::queries
