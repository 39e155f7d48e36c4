// The patterns of Ruby and Python in the words of Oniguruma, from which Ruby's engine parted long ago.
#pragma once

#include <string>
#include <string_view>

namespace strata::text {

/// A pattern that means to Oniguruma what `pattern` means to Ruby: what they read differently (`\d`, `\s`, `\w`, `\u{..}`, `[]a]`) is spelled out.
/// Never fails: what is wrong in the pattern stays as it is.
[[nodiscard]] std::string spell_out(std::string_view pattern);

/// The same for Python, whose sets hold no sets: a bracket in one is a member (`[[a]`, `[]a]`), and so is `&&`.
[[nodiscard]] std::string spell_out_python(std::string_view pattern);

}  // namespace strata::text
