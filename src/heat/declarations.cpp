// SPDX-License-Identifier: Apache-2.0
#include "heat/declarations.hpp"

#include <algorithm>

#include "heat/secret_names.hpp"

namespace strata::heat {

bool Declarations::is_hidden(std::string_view name) const { return schemata.hides(name); }

bool Declarations::hides_any() const noexcept {
  return schemata.encrypts_any() || std::ranges::any_of(schemata.all(), &ParameterSchema::hidden);
}

bool Declarations::hides_lines(std::string_view text) const { return hides_any() || (!root && sounds_secret(text)); }

}  // namespace strata::heat
