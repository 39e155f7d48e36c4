// Patterns for names of resources, as shells have them.
#pragma once

#include <string_view>

#include "strata/stop.hpp"

namespace strata::heat {

/// Whether a pattern matches the whole name, as Python's `fnmatchcase` does it: `*`, `?`, `[ab]`, `[a-c]`, `[!e]`; case and code points count; `[`
/// without its `]` stands for itself, a range that runs backwards holds nothing. Cost: at most product of the sizes.
[[nodiscard]] bool matches_shell_pattern(std::string_view pattern, std::string_view name, const Stop* stop = nullptr);

}  // namespace strata::heat
