// SPDX-License-Identifier: Apache-2.0
#include "interpolation.hpp"

#include <algorithm>
#include <array>

namespace strata::hiera {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kRubySpaces = "\0\t\n\v\f\r "sv;
constexpr std::array<std::string_view, 6> kNothing{"", "::", "\"\"", "''", "\"::\"", "'::'"};

std::string_view without_spaces(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kRubySpaces.substr(1));
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kRubySpaces) - first + 1);
}

bool is_method_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// `word('argument')`: the argument; none where the form is another.
std::optional<std::string_view> quoted_argument(std::string_view text, std::size_t name_size) {
  if (name_size == 0 || text.size() < name_size + 5 || text[name_size] != '(' || text.back() != ')')
    return std::nullopt;
  const std::string_view quoted = text.substr(name_size + 1, text.size() - name_size - 2);
  const char quote = quoted.front();
  if ((quote != '"' && quote != '\'') || quoted.back() != quote) return std::nullopt;
  const std::string_view inside = quoted.substr(1, quoted.size() - 2);
  return inside.find(quote) == std::string_view::npos ? std::optional(inside) : std::nullopt;
}

Expression::Method method_of(std::string_view name) {
  using enum Expression::Method;
  if (name == "lookup" || name == "hiera") return lookup;
  if (name == "alias") return alias;
  if (name == "scope") return scope;
  return name == "literal" ? literal : unknown;
}

}  // namespace

std::optional<Expression> find_expression(std::string_view text, std::size_t from) {
  const std::size_t begin = text.find("%{", from);
  if (begin == std::string_view::npos) return std::nullopt;
  const std::size_t close = text.find('}', begin + 2);
  if (close == std::string_view::npos) return std::nullopt;
  const std::string_view inside = without_spaces(text.substr(begin + 2, close - begin - 2));
  Expression out{.method = Expression::Method::scope, .name = {}, .key = inside, .begin = begin, .end = close + 1};
  if (std::ranges::find(kNothing, inside) != kNothing.end()) {
    out.method = Expression::Method::nothing;
    return out;
  }
  const auto name_size =
      static_cast<std::size_t>(std::ranges::find_if_not(inside, is_method_character) - inside.begin());
  if (const auto key = quoted_argument(inside, name_size)) {
    out.name = inside.substr(0, name_size);
    out.method = method_of(out.name);
    out.key = *key;
  }
  return out;
}

}  // namespace strata::hiera
