// SPDX-License-Identifier: Apache-2.0
// Messages of a user's own code that need no action.
#pragma once

#include <array>
#include <string_view>

#include "strata/error.hpp"

namespace strata {

/// The severity of a message that needs no action: `notice`, `info`, `debug`. Empty for warnings.
[[nodiscard]] inline std::string_view remark_level(const Diagnostic& diagnostic) {
  constexpr std::array<std::string_view, 3> kCodes{"puppet.debug", "puppet.info", "puppet.notice"};
  for (const std::string_view code : kCodes) {
    if (diagnostic.code == code) return code.substr(code.find('.') + 1);
  }
  return {};
}

}  // namespace strata
