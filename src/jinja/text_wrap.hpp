// SPDX-License-Identifier: Apache-2.0
// Wraps paragraphs as Python's textwrap does.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace strata::jinja {

struct WrapStyle {
  std::int64_t width = 79;  ///< Code points per line; above zero.
  bool break_long_words = true;
  bool break_on_hyphens = true;
};

/// The lines of one paragraph. Empty if it is empty or blank.
[[nodiscard]] std::vector<std::string> wrap(std::string_view paragraph, const WrapStyle& style);

}  // namespace strata::jinja
