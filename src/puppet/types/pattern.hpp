// SPDX-License-Identifier: Apache-2.0
// Compiles patterns of types. They are compiled nowhere else.
#pragma once

#include <memory>
#include <string_view>

#include "text/regex/regex.hpp"

namespace strata::puppet {

/// Throws `regex.syntax`.
std::shared_ptr<const text::Regex> compile_pattern(std::string_view pattern);

}  // namespace strata::puppet
