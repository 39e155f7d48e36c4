// SPDX-License-Identifier: Apache-2.0
#include "template_header.hpp"

#include <algorithm>

#include "parts/python_text.hpp"

namespace strata::cloudinit {

std::optional<TemplateHeader> template_header(std::string_view text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  if (!line.starts_with("##")) return std::nullopt;
  line = trim_front(line.substr(2));
  constexpr std::string_view kWord = "template:";
  if (!equal_ignoring_case(line.substr(0, kWord.size()), kWord)) return std::nullopt;
  return TemplateHeader{.kind = lower(trim(line.substr(kWord.size()))), .body = std::min(end + 1, text.size())};
}

}  // namespace strata::cloudinit
