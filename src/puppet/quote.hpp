// SPDX-License-Identifier: Apache-2.0
// Quotes texts in Puppet's syntax.
#pragma once

#include <string>
#include <string_view>

namespace strata::puppet {

/// In single quotes, or in double quotes if it contains control characters.
[[nodiscard]] std::string quote(std::string_view text);
/// In double quotes.
[[nodiscard]] std::string double_quote(std::string_view text);

}  // namespace strata::puppet
