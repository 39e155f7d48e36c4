// SPDX-License-Identifier: Apache-2.0
// Patterns of names with folders.
#pragma once

#include <string_view>

namespace strata::analysis {

/// Whether a glob matches a whole name: `*` any characters but `/`, `?` one of them, `[ab]`, `[a-c]`, `[!a]` one of a
/// set, `\` takes the next character as it is, and `**` between slashes any number of folders. By code point. Cost: at
/// most the product of the sizes.
[[nodiscard]] bool glob_matches(std::string_view glob, std::string_view name);

/// What is wrong with a glob. Empty: nothing.
[[nodiscard]] std::string_view glob_mistake(std::string_view glob);

}  // namespace strata::analysis
