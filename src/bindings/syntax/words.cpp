// SPDX-License-Identifier: Apache-2.0
#include "bindings/syntax/words.hpp"

#include <algorithm>

#include "puppet/characters.hpp"
#include "strata/near_names.hpp"

namespace strata::bindings {

using puppet::Parser;
using puppet::Token;
using puppet::TokenKind;

namespace {

bool is_keyword(TokenKind kind) noexcept { return kind >= TokenKind::and_ && kind <= TokenKind::private_; }

}  // namespace

bool is_word_like(const Token& token, std::string_view word) noexcept {
  if (token.kind != TokenKind::name && token.kind != TokenKind::word && token.kind != TokenKind::reference &&
      !is_keyword(token.kind))
    return false;
  if (token.text == word) return true;
  return std::equal(word.begin(), word.end(), token.text.begin(),
                    [](char small, char found) { return puppet::upper(small) == found; });
}

bool accept_word(Parser& parser, std::string_view word) {
  if (!at_word(parser, word)) return false;
  parser.next();
  return true;
}

Token expect_word(Parser& parser, std::string_view word, std::string_view expected) {
  if (!at_word(parser, word)) throw parser.unexpected(expected);
  return parser.next();
}

bool is_name(const Token& token) noexcept { return token.kind == TokenKind::name || is_keyword(token.kind); }

Token expect_name(Parser& parser, std::string_view what) {
  if (!is_name(parser.peek())) throw parser.unexpected(what);
  return parser.next();
}

std::string_view qualified_name(Parser& parser, std::string_view what) {
  const Token& found = parser.peek();
  if (!is_name(found) && found.kind != TokenKind::reference && found.kind != TokenKind::word)
    throw parser.unexpected(what);
  const Token first = parser.next();
  std::string_view name = first.text;
  // The language takes `a::B` for two names.
  for (;;) {
    const Token& more = parser.peek();
    const bool goes_on = !more.after_blank && (more.kind == TokenKind::reference || more.kind == TokenKind::name) &&
                         more.text.starts_with("::");
    if (!goes_on) break;
    name = {name.data(), static_cast<std::size_t>(more.text.data() + more.text.size() - name.data())};
    parser.next();
  }
  return name.starts_with("::") ? name.substr(2) : name;
}

Error unknown_word(Parser& parser, std::span<const std::string_view> words, std::string_view expected) {
  Error error = parser.unexpected(expected);
  const Token& found = parser.peek();
  if (found.kind != TokenKind::name && found.kind != TokenKind::reference && found.kind != TokenKind::word)
    return error;
  const std::string_view near = nearest_name(words, found.text);
  if (near.empty()) return error;
  return std::move(error).hint("did you mean '" + std::string(near) + "'?");
}

}  // namespace strata::bindings
