// SPDX-License-Identifier: Apache-2.0
// JSON with comments.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace strata::text {

/// The text with blanks in place of comments (`/* … */`, `// …` up to a line break), so that places stay the same. No
/// value if there are no comments. An unclosed comment stays: it is a syntax error. Cost: one search for `/`, otherwise
/// linear.
[[nodiscard]] std::optional<std::string> without_json_comments(std::string_view text);

}  // namespace strata::text
