// SPDX-License-Identifier: Apache-2.0
// Translates patterns of Ruby to Oniguruma, whose syntax has diverged from Ruby's.
#pragma once

#include <string>
#include <string_view>

namespace strata::text {

/// A pattern for Oniguruma with the meaning that `pattern` has in Ruby. Syntax that they read differently (`\d`, `\s`,
/// `\w`, `\u{..}`, `[]a]`) is rewritten. Never fails: errors in the pattern remain. `checkpoint` is written before each
/// group whose work the engine does not count: those that look around and atomic ones.
[[nodiscard]] std::string spell_out(std::string_view pattern, std::string_view checkpoint = {});

}  // namespace strata::text
