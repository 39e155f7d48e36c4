// SPDX-License-Identifier: Apache-2.0
#include "strata/traits.hpp"

#include <array>

#include "strata/bindings.hpp"

namespace strata::bindings {
namespace {

constexpr std::array<std::string_view, 3> kFindings{"losing-binding", "unbound-abstract", "unused-category"};

}  // namespace

const query::Traits& traits() {
  static const query::Traits traits{.profile = &text::psych(), .findings = kFindings};
  return traits;
}

}  // namespace strata::bindings
