// SPDX-License-Identifier: Apache-2.0
// What operators stand between: literals, names, lists, and what has a block.
#include "puppet/evaluation/pattern_object.hpp"
#include "puppet/language/parser.hpp"
#include "puppet/language/word_characters.hpp"

namespace strata::puppet {

const Literal* Parser::literal(const Token& token, const Value& value) {
  const Origin at = origin(token);
  return make(Literal{base(Node::literal, at), value.with_origin(at)}, 0);
}

const Word* Parser::word(const Token& token) {
  const Origin at = origin(token);
  return make(Word{base(Node::word, at), tree_.arena().text(token.text).with_origin(at)}, 0);
}

const Expression* Parser::primary() {
  if (std::exchange(is_interpolated_name_, false)) return variable();
  switch (peek().kind) {
    case TokenKind::name:
    case TokenKind::word:
      return word(next());
    case TokenKind::type:
      if (peek_second().kind == TokenKind::left_paren) return word(next());
      break;
    case TokenKind::reference: {
      const Token token = next();
      return make(TypeName{base(Node::type_name, origin(token)),
                           token.text.starts_with("::") ? token.text.substr(2) : token.text},
                  0);
    }
    case TokenKind::variable:
      return variable();
    case TokenKind::number: {
      const Token token = next();
      return literal(token, token.value);
    }
    case TokenKind::text:
    case TokenKind::text_begin:
      return text();
    case TokenKind::regex:
      return regex();
    case TokenKind::true_:
    case TokenKind::false_: {
      const Token token = next();
      return literal(token, Value::boolean(token.kind == TokenKind::true_));
    }
    case TokenKind::undef:
      return literal(next(), Value::null());
    case TokenKind::default_:
      return make(DefaultWord{base(Node::default_word, origin(next()))}, 0);
    case TokenKind::left_bracket:
    case TokenKind::list_start:
      return list();
    case TokenKind::left_brace:
      return hash();
    case TokenKind::left_paren:
      return parentheses();
    case TokenKind::if_:
    case TokenKind::unless:
      return if_or_unless();
    case TokenKind::case_:
      return case_expression();
    case TokenKind::class_:
      if (grammar_.classes) return class_type();
      break;
    case TokenKind::query:
      if (grammar_.queries) return query(nullptr);
      throw error(origin(peek()), "a query is not allowed here").hint("queries are read in bindings documents only");
    default:
      break;
  }
  throw unexpected("an expression");
}

const Expression* Parser::variable() {
  const Token token = next();
  const bool is_top = token.text.starts_with("::");
  return make(Variable{base(Node::variable, origin(token)), is_top ? token.text.substr(2) : token.text, is_top}, 0);
}

const Expression* Parser::regex() {
  const Token token = next();
  const Origin at = origin(token);
  Value pattern;
  for (const auto& [text, value] : patterns_) {
    if (text == token.text) pattern = value;
  }
  if (!pattern) {
    // The worst of a few bytes costs some tenths of a millisecond.
    constexpr std::size_t kSteps = 1000;
    if (++compiled_ > limits_.steps / kSteps) {
      throw error(at, "the text has more than " + std::to_string(limits_.steps / kSteps) + " regular expressions",
                  "limit.steps")
          .hint("raise the limit with --limit steps=NUMBER: each takes 1000");
    }
    try {
      pattern = make_pattern(tree_.arena(), token.text);
    } catch (const Error& bad) {
      throw error(at, bad.what(), bad.code());
    }
    constexpr std::size_t kRemembered = 16;
    if (patterns_.size() < kRemembered) patterns_.emplace_back(token.text, pattern);
  }
  return make(RegexLiteral{base(Node::regex, at), pattern.with_origin(at)}, 0);
}

const Expression* Parser::class_type() {
  const Token keyword = next();
  const Expression* name = word(expect(TokenKind::name, "the name of a class"));
  const Expression* type = make(TypeName{base(Node::type_name, origin(keyword)), "Class"}, 0);
  return make(Access{base(Node::access, type->origin), type, tree_.keep(std::span<const Expression* const>(&name, 1))},
              1);
}

const Expression* Parser::parentheses() {
  const Token opening = next();
  const Inside inside(*this);
  const Expression* inner = assignment();
  close(TokenKind::right_paren, opening, "')'");
  // Nodes never change once they are handed out; this one was made a moment ago, and nobody else has it.
  const_cast<Expression*>(inner)->in_parentheses = true;  // NOLINT(cppcoreguidelines-pro-type-const-cast): see above
  return inner;
}

const Expression* Parser::list() {
  const Token opening = next();
  const Inside inside(*this);
  Gathered items(expressions_);
  this->items(items, TokenKind::right_bracket, &Parser::member);
  close(TokenKind::right_bracket, opening, "',' or ']' after an item of the list");
  return make(List{base(Node::list, origin(opening)), tree_.keep(items.items())}, height(items.items()));
}

const Expression* Parser::member() {
  if (!at_bare_keyword()) return assignment();
  const Token token = next();
  return literal(token, tree_.arena().text(token.text));
}

bool Parser::at_bare_keyword() {
  const TokenKind kind = peek().kind;
  return kind == TokenKind::function || (kind == TokenKind::type && peek_second().kind != TokenKind::left_paren);
}

void Parser::items(Gathered<const Expression*>& items, TokenKind closing, Reader one) {
  Gathered pairs(entries_);
  std::size_t below = 0;
  const auto end_hash = [&] {
    if (pairs.items().empty()) return;
    items.add(make(Hash{base(Node::hash, pairs.items().front().key->origin), tree_.keep(pairs.items())}, below));
    pairs.clear();
    below = 0;
  };
  while (peek().kind != closing) {
    const bool is_key = at_bare_keyword() && peek_second().kind == TokenKind::fat_arrow;
    const Expression* item = is_key ? member() : (this->*one)();
    if (accept(TokenKind::fat_arrow)) {
      const Expression* value = member();
      below = std::max({below, height(item), height(value)});
      pairs.add({item, value});
    } else {
      end_hash();
      items.add(item);
    }
    if (!accept(TokenKind::comma)) break;
  }
  end_hash();
}

const Expression* Parser::hash() {
  const Token opening = next();
  const Inside inside(*this);
  Gathered entries(entries_);
  std::size_t below = 0;
  while (peek().kind != TokenKind::right_brace) {
    const Expression* key = member();
    expect(TokenKind::fat_arrow, "'=>' after a key of the hash");
    const Expression* value = member();
    below = std::max({below, height(key), height(value)});
    entries.add({key, value});
    if (!accept(TokenKind::comma)) break;
  }
  close(TokenKind::right_brace, opening, "',' or '}' after a member of the hash");
  return make(Hash{base(Node::hash, origin(opening)), tree_.keep(entries.items())}, below);
}

const Expression* Parser::text() {
  if (peek().kind == TokenKind::text_begin) return interpolation();
  const Token token = expect(TokenKind::text);
  return literal(token, tree_.arena().text(token.text));
}

const Expression* Parser::interpolation() {
  Token token = next();
  const Token opening = token;
  const Inside inside(*this);
  Gathered parts(expressions_);
  for (;;) {
    if (!token.text.empty()) parts.add(literal(token, tree_.arena().text(token.text)));
    if (token.kind == TokenKind::text_end) break;
    parts.add(token.is_braced ? interpolated() : variable());
    if (peek().kind != TokenKind::text_middle && peek().kind != TokenKind::text_end)
      throw unexpected("'}' at the end of the interpolation");
    token = next();
  }
  return make(Interpolation{base(Node::interpolation, origin(opening)), tree_.keep(parts.items()),
                            opening.value.is_text() ? opening.value.text() : std::string_view()},
              height(parts.items()));
}

const Expression* Parser::interpolated() {
  // A bare name that stands alone, or that a part is taken from, is a variable.
  const Token& first = peek();
  const TokenKind kind = first.kind;
  const bool is_word =
      kind == TokenKind::name || kind == TokenKind::word || (kind >= TokenKind::and_ && kind <= TokenKind::private_);
  const bool is_name = (is_word && kind != TokenKind::true_ && kind != TokenKind::false_) || kind == TokenKind::number;
  if (is_name) {
    const TokenKind second = peek_second().kind;
    const bool is_alone = second == TokenKind::text_middle || second == TokenKind::text_end;
    if (is_alone || second == TokenKind::left_bracket || second == TokenKind::dot) {
      if (!is_variable_name(peek().text))
        throw error(origin(peek()), "'" + std::string(peek().text) + "' is not a variable name");
      is_interpolated_name_ = true;
    }
  } else if (kind == TokenKind::text_middle || kind == TokenKind::text_end) {
    throw unexpected("an expression after '${'");
  }
  return assignment();
}

const Expression* Parser::if_or_unless() {
  const Level level(*this);
  const Inside inside(*this);
  const Token keyword = next();
  const bool is_negated = keyword.kind == TokenKind::unless;
  const Expression* condition = binary(0);
  const Block* then = block();
  const Expression* otherwise = nullptr;
  if (peek().kind == TokenKind::elsif) {
    if (is_negated) throw unexpected("'else', or the end of 'unless'").hint("'unless' has no 'elsif': write 'if !…'");
    otherwise = if_or_unless();
  } else if (accept(TokenKind::else_)) {
    if (peek().kind == TokenKind::if_) throw unexpected("'{' after 'else'").hint("'else if' is written 'elsif'");
    otherwise = block();
  }
  return make(If{base(Node::if_, origin(keyword)), is_negated, condition, then, otherwise},
              std::max({height(condition), height(then), height(otherwise)}));
}

const Expression* Parser::case_expression() {
  const Level level(*this);
  const Inside inside(*this);
  const Token keyword = next();
  const Expression* subject = binary(0);
  if (peek().kind != TokenKind::left_brace) throw unexpected("'{' after the subject of 'case'");
  const Token opening = next();
  Gathered options(case_options_);
  std::size_t below = height(subject);
  Origin default_at;
  do {
    const CaseOption option = case_option(below);
    for (const Expression* value : option.values) {
      if (value->node != Node::default_word) continue;
      if (default_at)
        throw error(value->origin, "this 'case' has a default already").note(sources_, default_at, "it is here");
      default_at = value->origin;
    }
    options.add(option);
  } while (!at_end() && peek().kind != TokenKind::right_brace);
  close(TokenKind::right_brace, opening, "another value, or '}' at the end of 'case'");
  return make(Case{base(Node::case_, origin(keyword)), subject, tree_.keep(options.items())}, below);
}

CaseOption Parser::case_option(std::size_t& below) {
  Gathered values(expressions_);
  do {
    values.add(binary(0));
  } while (accept(TokenKind::comma));
  expect(TokenKind::colon, "',' or ':' after a value of 'case'");
  const Block* body = block();
  below = std::max({below, height(values.items()), height(body)});
  return {tree_.keep(values.items()), body};
}

}  // namespace strata::puppet
