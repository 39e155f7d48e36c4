// Names of parameters whose values are secret, where no template says which are.
#pragma once

#include <string_view>

namespace strata::heat {

/// Whether a name, or a text with names in it, speaks of something secret: it holds `password`, `token` or the like, in upper or lower case.
/// Rule: docs/heat/compose.md, "Where values come from".
[[nodiscard]] bool sounds_secret(std::string_view text);

}  // namespace strata::heat
