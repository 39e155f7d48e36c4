// SPDX-License-Identifier: Apache-2.0
// `when node 'kermit' or virtual true and rack 7 { … }`.
#include "bindings/syntax/document_parser.hpp"
#include "bindings/syntax/words.hpp"

namespace strata::bindings {

using puppet::Parser;
using puppet::TokenKind;

void DocumentParser::when() {
  const Origin begin = parser_.origin(parser_.next());
  const Guard* guard = disjunction();
  const Token opening = parser_.expect(TokenKind::left_brace, "'and', 'or' or '{'");
  const When* outer = when_;
  when_ = tree_.make(When{guard, outer, begin});
  try {
    entries();
    parser_.close(TokenKind::right_brace, opening,
                  "a statement (bind, multibind, rebind, include, exclude, when) or '}'");
  } catch (...) {
    when_ = outer;
    throw;
  }
  when_ = outer;
}

const Guard* DocumentParser::join(Guard::Kind kind, std::span<const Guard* const> parts) {
  if (parts.size() == 1) return parts.front();
  return tree_.make(Guard{kind, {}, tree_.keep(parts)});
}

const Guard* DocumentParser::disjunction() {
  Parser::Gathered parts(guards_);
  do {
    parts.add(conjunction());
  } while (accept_word(parser_, "or"));
  return join(Guard::Kind::any, parts.items());
}

const Guard* DocumentParser::conjunction() {
  Parser::Gathered parts(guards_);
  do {
    parts.add(predicate());
  } while (accept_word(parser_, "and"));
  return join(Guard::Kind::all, parts.items());
}

const Guard* DocumentParser::predicate() {
  if (parser_.peek().kind == TokenKind::left_paren) {
    const Token opening = parser_.next();
    const Guard* inner = disjunction();
    parser_.close(TokenKind::right_paren, opening, "'and', 'or' or ')'");
    return inner;
  }
  const Token category = expect_name(parser_, "the name of a category, or '('");
  const Origin at = parser_.origin(category);
  if (category.text == "common") {
    return tree_.make(Guard{Guard::Kind::always, {}, {}});
  }
  const char first = category.text.front();
  if (category.text.find(':') != std::string_view::npos || first < 'a' || first > 'z') {
    throw parser_.error(at, "'" + std::string(category.text) + "' is not a category name");
  }
  const Expression* value = category_value();
  return tree_.make(Guard{Guard::Kind::is, {category.text, value, at}, {}});
}

const Expression* DocumentParser::category_value() {
  const Token& token = parser_.peek();
  switch (token.kind) {
    case TokenKind::text:
    case TokenKind::text_begin:
      return parser_.text();
    case TokenKind::variable:
    case TokenKind::left_paren:
    case TokenKind::number:
    case TokenKind::true_:
    case TokenKind::false_:
      return parser_.operand();
    case TokenKind::minus:
      if (parser_.peek_second().kind == TokenKind::number) return parser_.value();
      break;
    case TokenKind::name:
    case TokenKind::word:
      return parser_.word(parser_.next());
    default:
      // Words that mean something elsewhere are names here, save those that go on with the condition.
      if (is_name(token) && token.kind != TokenKind::and_ && token.kind != TokenKind::or_ &&
          token.kind != TokenKind::undef) {
        return parser_.word(parser_.next());
      }
      break;
  }
  throw parser_.unexpected("the value of the category")
      .hint("a text, a number, a name, a variable, or an expression in parentheses");
}

}  // namespace strata::bindings
