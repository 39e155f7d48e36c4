// JSON with comments.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace strata::text {

/// The text with blanks in place of its comments (`/* … */`, `// …` with a line end behind it), so that every place stays where it is; none where
/// there are no comments. A comment without end is left as it is: it is an error of syntax. Cost: one search for `/`, else linear.
[[nodiscard]] std::optional<std::string> without_json_comments(std::string_view text);

}  // namespace strata::text
