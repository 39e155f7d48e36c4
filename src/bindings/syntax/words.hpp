// SPDX-License-Identifier: Apache-2.0
// Contextual keywords, in lower or upper case.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "puppet/characters.hpp"
#include "puppet/language/parser.hpp"

namespace strata::bindings {

/// The same for a token that is as long as the word, and begins with its letter.
[[nodiscard]] bool is_word_like(const puppet::Token& token, std::string_view word) noexcept;
/// Whether a token is the keyword `word` (given in small letters): `as` or `AS`, not `As`.
[[nodiscard]] inline bool is_word(const puppet::Token& token, std::string_view word) noexcept {
  return token.text.size() == word.size() && puppet::lower(token.text.front()) == word.front() &&
         is_word_like(token, word);
}
[[nodiscard]] inline bool at_word(puppet::Parser& parser, std::string_view word) {
  return is_word(parser.peek(), word);
}
/// Consumes the keyword if it is next.
bool accept_word(puppet::Parser& parser, std::string_view word);
/// Consumes it or throws.
puppet::Token expect_word(puppet::Parser& parser, std::string_view word, std::string_view expected);
/// Whether a token is a name, or a keyword of the language that is allowed as one here.
[[nodiscard]] bool is_name(const puppet::Token& token) noexcept;
/// Consumes a name, which may be a keyword of the language. Throws `expected WHAT, found …`.
puppet::Token expect_name(puppet::Parser& parser, std::string_view what);
/// `m::default`, `MySpecial`: parts without blanks between them, as written, without a leading `::`.
std::string_view qualified_name(puppet::Parser& parser, std::string_view what);
/// An error at the next token, which is none of `words`. Suggests the most similar one.
[[nodiscard]] Error unknown_word(puppet::Parser& parser, std::span<const std::string_view> words,
                                 std::string_view expected);

}  // namespace strata::bindings
