// SPDX-License-Identifier: Apache-2.0
// The line breaks of YAML 1.1: CR, LF, and beyond ASCII NEL, LS and PS.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace strata::text {

/// Bytes of the line break at a place of a text (CR LF are two breaks); 0 where none stands.
[[nodiscard]] inline std::size_t line_break_length(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(std::min(at, text.size()), 3);
  if (rest.starts_with('\n') || rest.starts_with('\r')) return 1;
  if (rest.starts_with("\xC2\x85")) return 2;
  return rest == "\xE2\x80\xA8" || rest == "\xE2\x80\xA9" ? 3 : 0;
}

/// Where the next line break begins; the end of the text if there is none.
[[nodiscard]] inline std::size_t find_line_break(std::string_view text, std::size_t at) {
  for (;; ++at) {
    at = std::min(text.find_first_of("\r\n\xC2\xE2", at), text.size());
    if (at == text.size() || line_break_length(text, at) != 0) return at;
  }
}

}  // namespace strata::text
