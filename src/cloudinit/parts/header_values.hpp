// The headers of a message, and what the reference reads out of their values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strata::cloudinit {

struct Header {
  std::string name;   ///< In its exact spelling.
  std::string value;  ///< Without blanks in front and line ends behind; folds are kept as they are.
};
using Headers = std::vector<Header>;

/// The value of the first header of that name, in any case; null pointer where there is none.
[[nodiscard]] const std::string* find_header(const Headers& headers, std::string_view name) noexcept;
/// Removes all headers of that name and adds one behind the others.
void replace_header(Headers& headers, std::string_view name, std::string value);

/// The content type in lower case: `otherwise` without a Content-Type, `text/plain` where it has not exactly one slash.
[[nodiscard]] std::string content_type(const Headers& headers, std::string_view otherwise);
/// What stands before the slash of a content type.
[[nodiscard]] inline std::string_view main_type(std::string_view type) noexcept { return type.substr(0, type.find('/')); }
/// The boundary parameter; none where there is none.
[[nodiscard]] std::optional<std::string> boundary_of(const Headers& headers);
/// The file name that Content-Disposition or else Content-Type gives, trimmed; empty where there is none.
[[nodiscard]] std::string file_name_of(const Headers& headers);
/// Writes a file name into Content-Disposition.
void set_file_name(Headers& headers, std::string_view name);

}  // namespace strata::cloudinit
