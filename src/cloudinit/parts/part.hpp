// What user-data and vendor-data are flattened to: an ordered list of parts.
#pragma once

#include <string>
#include <string_view>

#include "header_values.hpp"
#include "strata/origin.hpp"

namespace strata::cloudinit {

struct Part {
  std::string type;   ///< Content type in lower case.
  std::string name;   ///< File name, or `part-NNN`.
  std::string label;  ///< What messages call it: its own file name, or else `web.yaml (part-001)` where it is a file, `m.mime[part-002]` where it
                      ///< stands in one.
  Headers headers;    ///< In order, those that the reference adds (Content-Type, Content-Disposition) included.
  SourceId source{};  ///< The decoded payload; lines and columns are the outer file's where it was not encoded.

  /// The value of the header of exactly that spelling; null pointer where there is none. As in the reference, it is the value of the first header of
  /// that name in any spelling.
  [[nodiscard]] const std::string* header(std::string_view wanted) const noexcept;
};

}  // namespace strata::cloudinit
