// SPDX-License-Identifier: Apache-2.0
#include "puppet/types/pattern.hpp"

namespace strata::puppet {

std::shared_ptr<const text::Regex> compile_pattern(std::string_view pattern) {
  return std::make_shared<const text::Regex>(pattern);
}

}  // namespace strata::puppet
