// SPDX-License-Identifier: Apache-2.0
// What differs between two texts, as `patch` and `git apply` read it.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace strata {
class Stop;
}

namespace strata::edit {

/// The unified diff of a file: two head lines with `a/FILE` and `b/FILE`, and hunks with three lines of context. No
/// value: the file is not there, and its name is `/dev/null`. Names with control characters, quotes or backslashes are
/// quoted, as git does. Empty if nothing differs.
[[nodiscard]] std::string unified_diff(std::string_view file, const std::optional<std::string>& before,
                                       const std::optional<std::string>& after, const Stop* stop = nullptr);

/// The lines of a text, without their line breaks.
[[nodiscard]] std::set<std::string, std::less<>> lines_of(std::string_view text);
/// Those with these numbers, from 1.
[[nodiscard]] std::set<std::string, std::less<>> lines_of(std::string_view text, const std::set<std::size_t>& numbers);
/// A unified diff with `******` in place of each line that is one of `secret`, and of what is added beside such a line:
/// the texts must not be shown. Such a diff does not apply.
[[nodiscard]] std::string hidden_in_diff(std::string_view diff, const std::set<std::string, std::less<>>& secret);

}  // namespace strata::edit
