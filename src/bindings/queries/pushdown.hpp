// What of a query PuppetDB can answer itself. Rule: docs/bindings/queries.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "service.hpp"

namespace strata::bindings::queries {

/// Which way a filter may err.
enum class Bound : std::uint8_t {
  above,  ///< It lets all through that match, and maybe more.
  below,  ///< It lets nothing through that does not match. Its negation is `above` for the negated condition.
};

/// The filter for a condition in PuppetDB's abstract syntax: `["and", ["=", "exported", true], …]`. What it cannot say is widened, so that for each
/// resource that matches the filter holds. Absent: every resource.
[[nodiscard]] Value pushed_filter(Arena& arena, const Condition& condition);
/// The whole query: `["from", "resources", …]`, in one line of JSON. `own_certname`: whose resources are left out; may be empty.
[[nodiscard]] std::string pushed_query(const Query& query, std::string_view own_certname = {});

/// A regular expression for PostgreSQL, which PuppetDB hands it to, that matches at least (or at most) where `pattern` does; none where it has parts
/// that mean something else there, or nothing. Expressions of `above` may begin with the option `(?w)`: `^` and `$` stand at lines.
[[nodiscard]] std::optional<std::string> pushed_pattern(std::string_view pattern, Bound bound);
/// One that matches a text without regard to the case of ASCII letters, exactly; none where the text is too long for that.
[[nodiscard]] std::optional<std::string> pushed_text(std::string_view text);

}  // namespace strata::bindings::queries
