// SPDX-License-Identifier: Apache-2.0
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

/// The header at the beginning of a text, in a loose form: `##`, blanks, `template:`, the kind, in any case. No value
/// if there is none.
[[nodiscard]] std::optional<TemplateHeader> template_header(std::string_view text);

}  // namespace strata::cloudinit
