// SPDX-License-Identifier: Apache-2.0
// Names of secret parameters, if no template declares which ones are.
#pragma once

#include <string_view>

namespace strata::heat {

/// Whether a name, or a text that contains names, suggests a secret: it contains `password`, `token` or the like, in
/// upper or lower case. Rule: docs/heat/compose.md, "Where values come from".
[[nodiscard]] bool sounds_secret(std::string_view text);

}  // namespace strata::heat
