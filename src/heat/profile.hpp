// How texts of Heat are read.
#pragma once

#include "strata/text.hpp"

namespace strata::heat {

/// The profile `heat`.
[[nodiscard]] inline const text::Profile& profile() noexcept { return text::heat(); }

}  // namespace strata::heat
