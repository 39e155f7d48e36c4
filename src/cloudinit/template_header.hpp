// The first line of a template: `## template: jinja`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace strata::cloudinit {

struct TemplateHeader {
  std::string kind;      ///< Lower case, trimmed: `jinja`, `basic`, …
  std::size_t body = 0;  ///< First byte after the line.
};

/// The header that a text begins with, written loosely: `##`, blanks, `template:`, the kind, in any case; none where there is none.
[[nodiscard]] std::optional<TemplateHeader> template_header(std::string_view text);

}  // namespace strata::cloudinit
