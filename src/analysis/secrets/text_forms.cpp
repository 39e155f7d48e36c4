// SPDX-License-Identifier: Apache-2.0
#include "analysis/secrets/text_forms.hpp"

#include <algorithm>
#include <array>

#include "strata/text.hpp"

namespace strata::analysis {
namespace {

edit::Syntax syntax_of(std::string_view path, std::string_view text, const query::Traits& traits) {
  if (path.ends_with(".json")) return edit::Syntax::json;
  if (path.ends_with(".yaml") || path.ends_with(".yml") || path.ends_with(".eyaml")) return edit::Syntax::yaml;
  if (path.ends_with(".conf") && traits.reads_hocon) return edit::Syntax::hocon;
  return traits.is_yaml != nullptr && traits.is_yaml(text) ? edit::Syntax::yaml : edit::Syntax::other;
}

}  // namespace

edit::Form form_of(std::string_view path, std::string_view text, const query::Traits& traits, const edit::Form* given) {
  if (given != nullptr) {
    return {.syntax = given->syntax,
            .profile = given->profile == nullptr ? traits.profile : given->profile,
            .json = given->json};
  }
  return {.syntax = syntax_of(path, text, traits), .profile = traits.profile, .json = traits.json};
}

bool tells_all(const edit::Form& form) {
  return form.syntax == edit::Syntax::yaml || form.syntax == edit::Syntax::json;
}

bool has_more_documents(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const bool begins = line.starts_with("---");
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (!begins && first != std::string_view::npos && line[first] != '#' && line[first] != '%') break;
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (begins) break;
  }
  return text.starts_with("---") || text.find("\n---") != std::string_view::npos;
}

bool has_other_breaks(std::string_view text) {
  for (std::size_t at = text.find('\r'); at != std::string_view::npos; at = text.find('\r', at + 1)) {
    if (text.substr(at + 1, 1) != "\n") return true;
  }
  constexpr std::array<std::string_view, 3> kBreaks{"\u0085", "\u2028", "\u2029"};
  return std::ranges::any_of(kBreaks, [text](std::string_view one) { return is_in(text, one); });
}

}  // namespace strata::analysis
