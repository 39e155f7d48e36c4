// SPDX-License-Identifier: Apache-2.0
// What statements are made of: keys, types, producers, options.
#include <utility>

#include "bindings/syntax/document_parser.hpp"
#include "bindings/syntax/words.hpp"
#include "puppet/characters.hpp"

namespace strata::bindings {

using puppet::Node;
using puppet::Parser;
using puppet::Token;
using puppet::TokenKind;

namespace {

constexpr puppet::Grammar kProduced{.in_ends = true, .queries = true, .classes = false};

bool is_text_token(const Token& token) noexcept {
  return token.kind == TokenKind::text || token.kind == TokenKind::text_begin;
}

}  // namespace

void DocumentParser::modifiers(Modifiers& modifiers) {
  for (;;) {
    const bool is_abstract = at_word(parser_, "abstract");
    if (!is_abstract && !at_word(parser_, "override")) return;
    const Token token = parser_.next();
    Token& kept = is_abstract ? modifiers.abstract : modifiers.override_;
    if (kept.kind != TokenKind::end)
      throw parser_.error(parser_.origin(token), "'" + std::string(token.text) + "' occurs twice");
    kept = token;
  }
}

void DocumentParser::apply(const Modifiers& modifiers, Statement& statement) const {
  statement.is_abstract = modifiers.abstract.kind != TokenKind::end;
  statement.is_override = modifiers.override_.kind != TokenKind::end;
}

bool DocumentParser::at_key() {
  const Token& token = parser_.peek();
  if (is_text_token(token)) return true;
  if (is_word(token, "to") || is_word(token, "in") || is_word(token, "as")) return false;
  return token.kind == TokenKind::reference || is_word(token, "class");
}

Key DocumentParser::key() {
  Key key;
  key.origin = parser_.origin(parser_.peek());
  if (is_text_token(parser_.peek())) {
    key.name = parser_.text();
    return key;
  }
  key.type = type_reference(false);
  if (!parser_.accept(TokenKind::comma)) return key;
  if (!is_text_token(parser_.peek())) throw parser_.unexpected("a name in quotes after the type");
  key.name = parser_.text();
  return key;
}

TypeReference DocumentParser::class_reference(const Token& keyword) {
  const Token name = expect_name(parser_, "the name of a class");
  return {parser_.word(name), true, parser_.origin(keyword)};
}

TypeReference DocumentParser::type_reference(bool bare_names) {
  const Token first = parser_.peek();
  const Origin at = parser_.origin(first);
  if (is_word(first, "class")) return class_reference(parser_.next());
  if (first.kind == TokenKind::reference) {
    const Expression* type = parser_.operand({.in_ends = false, .queries = false, .classes = true});
    const bool is_type =
        type->node == Node::type_name ||
        (type->node == Node::access && puppet::as<puppet::Access>(*type).target->node == Node::type_name);
    if (!is_type) throw parser_.error(at, "expected a type, such as Integer or Array[String]");
    return {type, false, at};
  }
  if (is_name(first)) {
    if (bare_names) return {parser_.word(parser_.next()), true, at};
    throw parser_.unexpected("a type, or a name in quotes")
        .hint("a class is written class " + std::string(first.text) + ", a name '" + std::string(first.text) + "'");
  }
  throw parser_.unexpected(bare_names ? "a type, or the name of a class" : "a type, or a name in quotes");
}

std::span<const TypeReference> DocumentParser::references() {
  Parser::Gathered references(references_);
  if (!parser_.at_list()) {
    references.add(type_reference(false));
    return tree_.keep(references.items());
  }
  const Token opening = parser_.next();
  do {
    if (!references.items().empty() && parser_.peek().kind == TokenKind::right_bracket) break;
    references.add(type_reference(false));
  } while (parser_.accept(TokenKind::comma));
  parser_.close(TokenKind::right_bracket, opening, "',' or ']'");
  return tree_.keep(references.items());
}

Producer DocumentParser::producer() {
  Producer producer;
  producer.is_optional = accept_word(parser_, "optional");
  const Token first = parser_.peek();
  producer.origin = parser_.origin(first);
  producer.kind = Producer::Kind::expression;
  if (is_word(first, "producer")) {
    const Token& second = parser_.peek_second();
    if (is_text_token(second) || second.kind == TokenKind::reference || is_word(second, "class")) {
      parser_.next();
      producer.kind = Producer::Kind::named;
      if (is_text_token(parser_.peek())) {
        producer.expression = parser_.text();
        return producer;
      }
      const TypeReference type = type_reference(false);
      producer.expression = type.expression;
      producer.is_class_name = type.is_class_name;
      return producer;
    }
  }
  if (is_word(first, "class")) {
    producer.expression = class_reference(parser_.next()).expression;
    producer.is_class_name = true;
    return producer;
  }
  producer.expression = parser_.value(kProduced);
  return producer;
}

std::span<const Option> DocumentParser::options() {
  const Token opening = parser_.expect(TokenKind::left_brace);
  Parser::Gathered options(options_);
  while (parser_.peek().kind != TokenKind::right_brace) {
    const Token name = parser_.peek();
    if (!is_name(name) && name.kind != TokenKind::word && name.kind != TokenKind::text)
      throw parser_.unexpected("the name of an option, or '}'");
    parser_.next();
    for (const Option& other : options.items()) {
      if (other.name != name.text) continue;
      throw wrong(parser_.origin(name), "'" + std::string(name.text) + "' occurs twice")
          .note(parser_.sources(), other.origin, "the first one is here");
    }
    parser_.expect(TokenKind::fat_arrow, "'=>' after the name of an option");
    const Expression* value = parser_.peek().kind == TokenKind::pipe
                                  ? parser_.lambda()
                                  : parser_.value({.in_ends = false, .queries = true, .classes = false});
    options.add({name.text, value, parser_.origin(name)});
    if (!parser_.accept(TokenKind::comma)) break;
  }
  parser_.close(TokenKind::right_brace, opening, "',' or '}' after an option");
  return tree_.keep(options.items());
}

const Expression* DocumentParser::class_name() {
  if (is_text_token(parser_.peek())) return parser_.text();
  if (parser_.peek().kind == TokenKind::reference) {
    throw parser_.unexpected("the name of a class")
        .hint("names of classes are written in small letters: " + puppet::lower(parser_.peek().text));
  }
  return parser_.word(expect_name(parser_, "the name of a class"));
}

const Expression* DocumentParser::name_list() {
  const Token opening = parser_.next();
  Parser::Gathered names(names_);
  while (parser_.peek().kind != TokenKind::right_bracket) {
    names.add(is_text_token(parser_.peek()) ? parser_.text()
                                            : parser_.word(expect_name(parser_, "the name of a parameter, or ']'")));
    if (!parser_.accept(TokenKind::comma)) break;
  }
  parser_.close(TokenKind::right_bracket, opening, "',' or ']' after the name of a parameter");
  const auto items = names.items();
  return parser_.make(puppet::List{{Node::list, false, parser_.origin(opening)}, tree_.keep(items)},
                      Parser::height(items));
}

}  // namespace strata::bindings
