// SPDX-License-Identifier: Apache-2.0
// Queries: `Sql[?? size > 5 and not tag == 'old']`.
#include "puppet/language/parser.hpp"

namespace strata::puppet {

namespace {

/// Words that can be the name of a parameter though the language gives them a meaning.
bool is_field(TokenKind kind) noexcept {
  return kind == TokenKind::name || kind == TokenKind::word || (kind > TokenKind::or_ && kind <= TokenKind::private_);
}

}  // namespace

const Expression* Parser::query(const Expression* type) {
  const Token mark = next();
  const Origin begin = type != nullptr ? type->origin : origin(mark);
  const std::size_t outer_height = std::exchange(condition_height_, 0);
  Query query{base(Node::query, begin), type != nullptr ? as<TypeName>(*type).name : std::string_view(), nullptr};
  const bool is_all = type != nullptr && peek().kind == TokenKind::right_bracket;
  if (!is_all) query.condition = condition();
  return make(query, std::exchange(condition_height_, outer_height));
}

bool Parser::at_query_word(std::string_view word, TokenKind kind) {
  const Token& token = peek();
  return token.kind == kind ||
         ((token.kind == TokenKind::reference || token.kind == TokenKind::name) && token.text == word);
}

const Condition* Parser::join(Condition::Kind kind, std::span<const Condition* const> parts, Origin origin) {
  return tree_.make(Condition{kind, tree_.keep(parts), {}, Condition::Comparison::equal, nullptr, origin});
}

const Condition* Parser::condition() {
  const Level level(*this);
  const Origin begin = origin(peek());
  Gathered parts(conditions_);
  parts.add(conjunction());
  while (at_query_word("OR", TokenKind::or_)) {
    next();
    parts.add(conjunction());
  }
  return parts.items().size() == 1 ? parts.items().front() : join(Condition::Kind::or_, parts.items(), begin);
}

const Condition* Parser::conjunction() {
  const Origin begin = origin(peek());
  Gathered parts(conditions_);
  parts.add(negation());
  while (at_query_word("AND", TokenKind::and_)) {
    next();
    parts.add(negation());
  }
  return parts.items().size() == 1 ? parts.items().front() : join(Condition::Kind::and_, parts.items(), begin);
}

const Condition* Parser::negation() {
  const Token first = peek();
  bool is_negated = first.kind == TokenKind::not_;
  if (at_query_word("not", TokenKind::not_) || at_query_word("NOT", TokenKind::not_)) {
    // `not` is the name of a parameter as well: a comparison follows it then.
    const TokenKind second = peek_second().kind;
    is_negated = is_negated || is_field(second) || second == TokenKind::left_paren;
  }
  if (!is_negated) return comparison();
  next();
  const Condition* inner = comparison();
  return join(Condition::Kind::not_, std::span(&inner, 1), origin(first));
}

const Condition* Parser::comparison() {
  if (peek().kind == TokenKind::left_paren) {
    const Token opening = next();
    const Condition* inner = condition();
    close(TokenKind::right_paren, opening, "'and', 'or' or ')'");
    return inner;
  }
  if (!is_field(peek().kind))
    throw unexpected("the name of a field of resources, as 'title' or the name of a parameter");
  const Token field = next();
  Condition found;
  found.field = lexer_.text().substr(field.offset, field.length);
  if (field.text == "parameter" && accept(TokenKind::dot)) {
    if (!is_field(peek().kind)) throw unexpected("the name of a parameter after 'parameter.'");
    found.field = tree_.keep("parameter." + std::string(next().text));
  }
  found.origin = origin(field);
  found.comparison = comparison_operator();
  found.operand = comparison_operand();
  condition_height_ = std::max(condition_height_, height(found.operand));
  return tree_.make(found);
}

Condition::Comparison Parser::comparison_operator() {
  using Comparison = Condition::Comparison;
  static constexpr std::pair<TokenKind, Comparison> kOperators[] = {
      {TokenKind::equal, Comparison::equal},
      {TokenKind::not_equal, Comparison::not_equal},
      {TokenKind::less, Comparison::less},
      {TokenKind::greater, Comparison::greater},
      {TokenKind::less_equal, Comparison::less_equal},
      {TokenKind::greater_equal, Comparison::greater_equal},
      {TokenKind::match_reversed, Comparison::match},
      {TokenKind::match, Comparison::match},
      {TokenKind::no_match_reversed, Comparison::not_match},
      {TokenKind::not_match, Comparison::not_match},
  };
  for (const auto& [kind, comparison] : kOperators) {
    if (accept(kind)) return comparison;
  }
  throw unexpected("a comparison, such as '==' or '=~'");
}

const Expression* Parser::comparison_operand() {
  switch (peek().kind) {
    case TokenKind::left_paren:
    case TokenKind::variable:
      return postfix(primary());
    case TokenKind::minus:
      if (peek_second().kind != TokenKind::number) break;
      return unary();
    case TokenKind::name:
    case TokenKind::word:
    case TokenKind::number:
    case TokenKind::text:
    case TokenKind::text_begin:
    case TokenKind::regex:
    case TokenKind::true_:
    case TokenKind::false_:
    case TokenKind::undef:
      return primary();
    default:
      break;
  }
  throw unexpected("a value, a variable, or an expression in parentheses");
}

}  // namespace strata::puppet
