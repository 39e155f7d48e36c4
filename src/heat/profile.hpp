// How texts of Heat are read.
#pragma once

#include "strata/text.hpp"

namespace strata::heat {

/// The profile `heat`.
[[nodiscard]] inline const text::Profile& profile() noexcept {
  const text::Profile* found = text::find_profile("heat");
  return found == nullptr ? text::pyyaml() : *found;
}

}  // namespace strata::heat
