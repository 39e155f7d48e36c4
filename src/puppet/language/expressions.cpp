// SPDX-License-Identifier: Apache-2.0
// Operators, and what stands behind an operand: `[…]`, `.name`, `(…)`.
#include <optional>

#include "puppet/language/parser.hpp"
#include "puppet/language/word_characters.hpp"

namespace strata::puppet {

namespace {

struct Operator {
  int precedence;  ///< Higher binds tighter. As in Puppet.
  BinaryOperator operation;
};

constexpr int kSelector = 3;

std::optional<Operator> operator_of(TokenKind kind) noexcept {
  switch (kind) {
    case TokenKind::in:
      return Operator{10, BinaryOperator::in};
    case TokenKind::match:
      return Operator{9, BinaryOperator::match};
    case TokenKind::not_match:
      return Operator{9, BinaryOperator::not_match};
    case TokenKind::times:
      return Operator{8, BinaryOperator::multiply};
    case TokenKind::divide:
      return Operator{8, BinaryOperator::divide};
    case TokenKind::modulo:
      return Operator{8, BinaryOperator::modulo};
    case TokenKind::plus:
      return Operator{7, BinaryOperator::add};
    case TokenKind::minus:
      return Operator{7, BinaryOperator::subtract};
    case TokenKind::shift_left:
      return Operator{6, BinaryOperator::shift_left};
    case TokenKind::shift_right:
      return Operator{6, BinaryOperator::shift_right};
    case TokenKind::equal:
      return Operator{5, BinaryOperator::equal};
    case TokenKind::not_equal:
      return Operator{5, BinaryOperator::not_equal};
    case TokenKind::less:
      return Operator{4, BinaryOperator::less};
    case TokenKind::less_equal:
      return Operator{4, BinaryOperator::less_equal};
    case TokenKind::greater:
      return Operator{4, BinaryOperator::greater};
    case TokenKind::greater_equal:
      return Operator{4, BinaryOperator::greater_equal};
    case TokenKind::and_:
      return Operator{2, BinaryOperator::and_};
    case TokenKind::or_:
      return Operator{1, BinaryOperator::or_};
    default:
      return std::nullopt;
  }
}

}  // namespace

const Expression* Parser::expression(Grammar grammar) {
  const Inside inside(*this, grammar);
  return assignment();
}

const Expression* Parser::value(Grammar grammar) {
  const Inside inside(*this, grammar);
  return binary(0);
}

const Expression* Parser::operand(Grammar grammar) {
  const Inside inside(*this, grammar);
  const Level level(*this);
  return postfix(primary());
}

const Expression* Parser::assignment() {
  const Expression* left = binary(0);
  if (peek().kind != TokenKind::assign) return left;
  const Level level(*this);
  check_target(*left);
  next();
  const Expression* right = assignment();
  return make(Assignment{base(Node::assignment, left->origin), left, right}, std::max(height(left), height(right)));
}

void Parser::check_target(const Expression& target) const {
  if (target.node == Node::list && !target.in_parentheses) {
    for (const Expression* item : as<List>(target).items) check_target(*item);
    return;
  }
  if (target.node != Node::variable)
    throw error(target.origin, "only a variable, or a list of variables, can be assigned to");
  const Variable& variable = as<Variable>(target);
  if (is_local_name(variable.name) && !variable.is_top) return;
  const bool is_group = is_digit(variable.name.front());
  throw error(target.origin,
              is_group ? "$" + std::string(variable.name) + " is a group of the last match and cannot be assigned to"
                       : "a variable of another name space cannot be assigned to");
}

const Expression* Parser::binary(int lowest) {
  const Level level(*this);
  const Expression* left = unary();
  for (;;) {
    const Token& token = peek();
    if (token.kind == TokenKind::question && kSelector >= lowest) {
      left = postfix(selector(left));
      continue;
    }
    const auto found = operator_of(token.kind);
    if (!found || found->precedence < lowest || (token.kind == TokenKind::in && grammar_.in_ends)) return left;
    const Origin sign = origin(token);
    next();
    const Expression* right = binary(found->precedence + 1);
    left = make(Binary{base(Node::binary, left->origin), found->operation, left, right, sign},
                std::max(height(left), height(right)));
  }
}

const Expression* Parser::unary() {
  const TokenKind kind = peek().kind;
  if (kind != TokenKind::not_ && kind != TokenKind::minus && kind != TokenKind::times) return postfix(primary());
  const Level level(*this);
  const Origin begin = origin(next());
  const Expression* operand = unary();
  const UnaryOperator operation = kind == TokenKind::not_
                                      ? UnaryOperator::not_
                                      : (kind == TokenKind::minus ? UnaryOperator::negate : UnaryOperator::splat);
  return make(Unary{base(Node::unary, begin), operation, operand}, height(operand));
}

const Expression* Parser::selector(const Expression* subject) {
  next();
  Gathered options(selector_options_);
  std::size_t below = height(subject);
  Origin default_at;
  const auto option = [&] {
    const Expression* key = binary(0);
    if (key->node == Node::default_word) {
      if (default_at)
        throw error(key->origin, "this selector has a default already").note(sources_, default_at, "it is here");
      default_at = key->origin;
    }
    expect(TokenKind::fat_arrow, "'=>' after the key of a selector");
    const Expression* value = binary(0);
    below = std::max({below, height(key), height(value)});
    options.add({key, value});
  };
  if (peek().kind != TokenKind::left_brace) {
    option();
  } else {
    const Token opening = next();
    const Inside inside(*this);
    do {
      if (!options.items().empty() && peek().kind == TokenKind::right_brace) break;
      option();
    } while (accept(TokenKind::comma));
    close(TokenKind::right_brace, opening, "',' or '}' after the value of a selector");
  }
  return make(Selector{base(Node::selector, subject->origin), subject, tree_.keep(options.items())}, below);
}

bool Parser::at_list() { return peek().kind == TokenKind::list_start || peek().kind == TokenKind::left_bracket; }

const Expression* Parser::postfix(const Expression* target) {
  for (;;) {
    switch (peek().kind) {
      case TokenKind::left_bracket:
        target = access(target);
        break;
      case TokenKind::dot:
        target = method(target);
        break;
      case TokenKind::left_paren:
        if (peek().first_of_line) return target;
        target = call(target);
        break;
      default:
        return target;
    }
  }
}

const Expression* Parser::access(const Expression* target) {
  const Token opening = next();
  const Inside inside(*this);
  if (grammar_.queries && peek().kind == TokenKind::query && target->node == Node::type_name) {
    const Expression* found = query(target);
    close(TokenKind::right_bracket, opening, "']' at the end of the query");
    return found;
  }
  if (peek().kind == TokenKind::right_bracket) throw unexpected("an expression");
  Gathered keys(expressions_);
  items(keys, TokenKind::right_bracket, &Parser::operation);
  close(TokenKind::right_bracket, opening, "',' or ']'");
  return make(Access{base(Node::access, target->origin), target, tree_.keep(keys.items())},
              std::max(height(target), height(keys.items())));
}

void Parser::arguments(Gathered<const Expression*>& arguments) {
  const Token opening = next();
  const Inside inside(*this);
  items(arguments, TokenKind::right_paren, &Parser::assignment);
  close(TokenKind::right_paren, opening, "',' or ')' after an argument");
}

const Expression* Parser::method(const Expression* receiver) {
  next();
  if (peek().kind != TokenKind::name && peek().kind != TokenKind::type)
    throw unexpected("the name of a function after '.'");
  const Token name = next();
  Gathered items(expressions_);
  items.add(receiver);
  if (peek().kind == TokenKind::left_paren && !peek().first_of_line) arguments(items);
  const Lambda* body = peek().kind == TokenKind::pipe ? lambda() : nullptr;
  return make(Call{base(Node::call, receiver->origin), name.text, tree_.keep(items.items()), body, true, origin(name)},
              std::max(height(items.items()), height(body)));
}

const Expression* Parser::call(const Expression* callee) {
  std::string_view name;
  const bool is_type = callee->node == Node::type_name ||
                       (callee->node == Node::access && as<Access>(*callee).target->node == Node::type_name);
  if (is_type) {
    name = "new";
  } else if (callee->node == Node::word && !callee->in_parentheses) {
    name = as<Word>(*callee).value.text();
  }
  if (name.empty())
    throw error(callee->origin, "this cannot be called: only the name of a function, or a type, can")
        .hint("functions are called as name(…) or value.name(…)");
  if (name.find('-') != std::string_view::npos || name.starts_with('_'))
    throw error(callee->origin, "'" + std::string(name) + "' is not a function name");
  if (name.starts_with("::")) name.remove_prefix(2);
  Gathered items(expressions_);
  if (is_type) items.add(callee);
  arguments(items);
  const Lambda* body = peek().kind == TokenKind::pipe ? lambda() : nullptr;
  return make(Call{base(Node::call, callee->origin), name, tree_.keep(items.items()), body, false, callee->origin},
              std::max(height(items.items()), height(body)));
}

}  // namespace strata::puppet
