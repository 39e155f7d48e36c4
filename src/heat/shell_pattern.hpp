// SPDX-License-Identifier: Apache-2.0
// Shell patterns for names of resources.
#pragma once

#include <string_view>

#include "strata/stop.hpp"

namespace strata::heat {

/// Whether a pattern matches the whole name, like Python's `fnmatchcase`: `*`, `?`, `[ab]`, `[a-c]`, `[!e]`,
/// case-sensitive, by code point. `[` without `]` is a plain character; a reversed range is empty. Cost: at most the
/// product of the sizes.
[[nodiscard]] bool matches_shell_pattern(std::string_view pattern, std::string_view name, const Stop* stop = nullptr);

}  // namespace strata::heat
