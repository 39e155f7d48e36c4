// What differs between two texts, as `patch` and `git apply` read it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace strata {
class Stop;
}

namespace strata::edit {

/// The unified diff of a file: two head lines with `a/FILE` and `b/FILE`, and hunks with three lines of context. No value: the file is not there, and
/// its name is `/dev/null`. Names with control characters, quotes or backslashes are quoted, as git does. Empty if nothing differs.
[[nodiscard]] std::string unified_diff(std::string_view file, const std::optional<std::string>& before, const std::optional<std::string>& after,
                                       const Stop* stop = nullptr);

}  // namespace strata::edit
