// SPDX-License-Identifier: Apache-2.0
// Splits a string at a separator.
#pragma once

#include <string_view>
#include <vector>

namespace strata::detail {

/// The parts of a string between separators, which may be empty: `split_at("a//b", '/')` is `a`, an empty one, `b`. At
/// least one. They point into `text`. Cost: linear.
[[nodiscard]] inline std::vector<std::string_view> split_at(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  for (std::size_t end = text.find(separator); end != std::string_view::npos; end = text.find(separator)) {
    out.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  out.push_back(text);
  return out;
}

}  // namespace strata::detail
