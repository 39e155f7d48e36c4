// Texts as Puppet writes them in its own language.
#pragma once

#include <string>
#include <string_view>

namespace strata::puppet {

/// In single quotes; in double ones where it holds control characters.
[[nodiscard]] std::string quote(std::string_view text);
/// In double quotes.
[[nodiscard]] std::string double_quote(std::string_view text);

}  // namespace strata::puppet
