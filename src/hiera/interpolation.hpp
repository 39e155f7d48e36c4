// SPDX-License-Identifier: Apache-2.0
// The grammar of `%{…}`.
#pragma once

#include <optional>
#include <string_view>

namespace strata::hiera {

/// The text between `%{` and `}`. Rule: docs/hiera/lookup.md, "Interpolation".
struct Expression {
  enum class Method { nothing, scope, lookup, alias, literal, unknown };
  Method method = Method::scope;
  std::string_view name;  ///< The method, as written. Empty for a plain variable.
  std::string_view key;   ///< The argument of the method, or the variable.
  std::size_t begin = 0;  ///< The offset of `%{`.
  std::size_t end = 0;    ///< The offset after `}`.
};

/// Whether a text may contain an expression. If not, it is never parsed.
[[nodiscard]] inline bool may_interpolate(std::string_view text) noexcept {
  return text.find("%{") != std::string_view::npos;
}

/// The first expression at or after `from`.
[[nodiscard]] std::optional<Expression> find_expression(std::string_view text, std::size_t from);

}  // namespace strata::hiera
