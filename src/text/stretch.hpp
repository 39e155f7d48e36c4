// SPDX-License-Identifier: Apache-2.0
// Parsing parts of a source. Places are relative to the whole source.
#pragma once

#include <cstddef>
#include <string_view>

#include "strata/text.hpp"

namespace strata::text {

/// Bytes [begin, end) of a source. `end` may be beyond its end.
struct Stretch {
  std::size_t begin = 0;
  std::size_t end = std::string_view::npos;
};

/// As `read_yaml`, for a part. The indentation of its first line begins at the part. It may begin with a byte order
/// mark.
[[nodiscard]] Document read_yaml_stretch(Sources& sources, SourceId source, const Stretch& stretch,
                                         const Profile& profile, const Limits& limits);
/// As `read_json`, for a part.
[[nodiscard]] Document read_json_stretch(Sources& sources, SourceId source, const Stretch& stretch,
                                         const Limits& limits, const JsonDialect& dialect = kPythonJson);

}  // namespace strata::text
