// SPDX-License-Identifier: Apache-2.0
// The flattened form of user-data and vendor-data: an ordered list of parts.
#pragma once

#include <string>
#include <string_view>

#include "header_values.hpp"
#include "strata/origin.hpp"

namespace strata::cloudinit {

struct Part {
  std::string type;  ///< Content type in lower case.
  std::string name;  ///< File name, or `part-NNN`.
  /// The name in messages: its own file name, or `web.yaml (part-001)` if it is a file, `m.mime[part-002]` if it is in
  /// one.
  std::string label;
  Headers headers;  ///< In order, including those that the reference adds (Content-Type, Content-Disposition).
  /// The decoded payload. If it was not encoded, lines and columns are those of the outer file.
  SourceId source{};

  /// The value of the header with exactly this spelling. Null if there is none. As in the reference, it is the value of
  /// the first header with this name in any spelling.
  [[nodiscard]] const std::string* header(std::string_view wanted) const noexcept;
};

}  // namespace strata::cloudinit
