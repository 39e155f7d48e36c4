// SPDX-License-Identifier: Apache-2.0
#include "problems.hpp"

namespace strata {

void Problems::add(const Error& error) {
  if (const auto* several = dynamic_cast<const Errors*>(&error)) {
    for (const Diagnostic& each : several->all()) add(each);
  } else {
    add(error.diagnostic());
  }
}

}  // namespace strata
