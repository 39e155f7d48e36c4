// SPDX-License-Identifier: Apache-2.0
#include "knockout.hpp"

#include <cassert>

namespace strata::merge {

std::optional<std::string> Knockout::stripped(std::string_view text) const {
  if (strip_ != nullptr) return (*strip_)(text);
  std::optional<std::string> out;
  bool at_line_start = true;
  std::size_t copied = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (at_line_start && text.substr(i).starts_with(prefix_)) {
      if (!out) out.emplace();
      out->append(text.substr(copied, i - copied));
      i += prefix_.size();
      copied = i;
    } else {
      const std::size_t end = text.find('\n', i);
      i = end == std::string_view::npos ? text.size() : end + 1;
    }
    at_line_start = i != 0 && text[i - 1] == '\n';
  }
  if (out) out->append(text.substr(copied));
  return out;
}

std::optional<std::string> Knockout::target(const Value& item) const {
  if (!item.is_text()) return std::nullopt;
  auto out = stripped(item.text());
  return out && *out != item.text() ? std::move(out) : std::nullopt;
}

}  // namespace strata::merge
