// The patterns of Ruby in the words of Oniguruma, from which Ruby's engine parted long ago.
#pragma once

#include <string>
#include <string_view>

namespace strata::text {

/// A pattern that means to Oniguruma what `pattern` means to Ruby: what they read differently (`\d`, `\s`, `\w`, `\u{..}`, `[]a]`) is spelled out.
/// Never fails: what is wrong in the pattern stays as it is.
[[nodiscard]] std::string spell_out(std::string_view pattern);

}  // namespace strata::text
