// Documents that are not all of their source. Places count from the beginning of the source.
#pragma once

#include <cstddef>
#include <string_view>

#include "strata/text.hpp"

namespace strata::text {

/// Bytes [begin, end) of a source. `end` may lie beyond it: up to its end.
struct Stretch {
  std::size_t begin = 0;
  std::size_t end = std::string_view::npos;
};

/// As `read_yaml`, of a stretch: the indentation of its first line counts from the stretch. A byte order mark may begin it.
[[nodiscard]] Document read_yaml_stretch(Sources& sources, SourceId source, const Stretch& stretch, const Profile& profile, const Limits& limits);
/// As `read_json`, of a stretch.
[[nodiscard]] Document read_json_stretch(Sources& sources, SourceId source, const Stretch& stretch, const Limits& limits,
                                         const JsonDialect& dialect = kPythonJson);

}  // namespace strata::text
