// SPDX-License-Identifier: Apache-2.0
// The headers of a message, and their values as the reference parses them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strata::cloudinit {

struct Header {
  std::string name;   ///< In its original spelling.
  std::string value;  ///< Without leading blanks and trailing line breaks. Folds are kept.
};
using Headers = std::vector<Header>;

/// The value of the first header with this name, in any case. Null if there is none.
[[nodiscard]] const std::string* find_header(const Headers& headers, std::string_view name) noexcept;
/// Removes all headers with this name and adds one at the end.
void replace_header(Headers& headers, std::string_view name, std::string value);

/// The content type in lower case: `otherwise` without a Content-Type, `text/plain` if it does not have exactly one
/// slash.
[[nodiscard]] std::string content_type(const Headers& headers, std::string_view otherwise);
/// The text before the slash of a content type.
[[nodiscard]] inline std::string_view main_type(std::string_view type) noexcept {
  return type.substr(0, type.find('/'));
}
/// The boundary parameter. No value if there is none.
[[nodiscard]] std::optional<std::string> boundary_of(const Headers& headers);
/// The file name in Content-Disposition, or else in Content-Type, trimmed. Empty if there is none.
[[nodiscard]] std::string file_name_of(const Headers& headers);
/// Writes a file name into Content-Disposition.
void set_file_name(Headers& headers, std::string_view name);

}  // namespace strata::cloudinit
