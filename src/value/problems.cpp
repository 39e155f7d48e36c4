// SPDX-License-Identifier: Apache-2.0
#include "problems.hpp"

namespace strata {

void Problems::add(const Error& error) {
  for (const Diagnostic& each : error.all()) add(each);
}

}  // namespace strata
