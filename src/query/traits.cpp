// SPDX-License-Identifier: Apache-2.0
#include "strata/traits.hpp"

#include <algorithm>

namespace strata::query {

bool refers(ReferenceSyntax syntax, std::string_view string) noexcept {
  const auto has = [string](std::string_view part) { return string.find(part) != std::string_view::npos; };
  switch (syntax) {
    case ReferenceSyntax::percent:
      return has("%{");
    case ReferenceSyntax::dollar:
      return has("${") || has("$[");
    case ReferenceSyntax::none:
      break;
  }
  return false;
}

bool refers_to_items(ReferenceSyntax syntax, std::string_view string) noexcept {
  // Without a function, an expression names a variable of the node.
  return refers(syntax, string) && (syntax != ReferenceSyntax::percent || string.find('(') != std::string_view::npos);
}

const Section* Traits::section(std::string_view name) const noexcept {
  const auto found = std::ranges::find(sections, name, &Section::name);
  return found == sections.end() ? nullptr : &*found;
}

const Traits& plain_traits() noexcept {
  static const Traits traits{.profile = &text::core12()};
  return traits;
}

}  // namespace strata::query
