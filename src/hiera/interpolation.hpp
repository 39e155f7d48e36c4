// The grammar of `%{…}`.
#pragma once

#include <optional>
#include <string_view>

namespace strata::hiera {

/// What stands between `%{` and `}`. Rule: docs/hiera/lookup.md, "Interpolation".
struct Expression {
  enum class Method { nothing, scope, lookup, alias, literal, unknown };
  Method method = Method::scope;
  std::string_view name;  ///< Of the method, as written; empty for a bare variable.
  std::string_view key;   ///< What the method is given, or the variable.
  std::size_t begin = 0;  ///< Where `%{` stands in the text.
  std::size_t end = 0;    ///< Behind the `}`.
};

/// Whether a text may hold an expression; what does not is never looked at again.
[[nodiscard]] inline bool may_interpolate(std::string_view text) noexcept { return text.find("%{") != std::string_view::npos; }

/// The first expression at or behind `from`.
[[nodiscard]] std::optional<Expression> find_expression(std::string_view text, std::size_t from);

}  // namespace strata::hiera
