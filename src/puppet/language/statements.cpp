// SPDX-License-Identifier: Apache-2.0
// Statements, blocks and lambdas.
#include "puppet/language/parser.hpp"
#include "puppet/language/word_characters.hpp"

namespace strata::puppet {

namespace {

/// Functions that are called without parentheses, as Puppet has them.
bool is_statement_function(std::string_view name) noexcept {
  static constexpr std::string_view kNames[] = {"alert",   "break",   "contain", "crit", "debug",  "emerg",
                                                "err",     "fail",    "include", "info", "next",   "notice",
                                                "realize", "require", "return",  "tag",  "warning"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

/// Whether a token behind a name begins an argument, rather than going on with the name.
bool begins_argument(TokenKind kind) noexcept {
  switch (kind) {
    case TokenKind::name:
    case TokenKind::word:
    case TokenKind::reference:
    case TokenKind::variable:
    case TokenKind::number:
    case TokenKind::text:
    case TokenKind::text_begin:
    case TokenKind::regex:
    case TokenKind::undef:
    case TokenKind::true_:
    case TokenKind::false_:
    case TokenKind::default_:
    case TokenKind::case_:
    case TokenKind::if_:
    case TokenKind::unless:
    case TokenKind::list_start:
    case TokenKind::left_brace:
    case TokenKind::not_:
    case TokenKind::type:
      return true;
    default:
      return false;
  }
}

bool has_effect(const Expression* expression);

bool has_effect(const Block& block) {
  return std::any_of(block.statements.begin(), block.statements.end(),
                     [](const Expression* inner) { return has_effect(inner); });
}

/// Whether something may come of it though its value is not used.
bool has_effect(const Expression* expression) {
  switch (expression->node) {
    case Node::call:
    case Node::assignment:
      return true;
    case Node::binary:  // A match sets `$0` and the groups.
      return as<Binary>(*expression).operation == BinaryOperator::match ||
             as<Binary>(*expression).operation == BinaryOperator::not_match;
    case Node::block:
      return has_effect(as<Block>(*expression));
    case Node::if_: {
      const If& choice = as<If>(*expression);
      return has_effect(choice.condition) || has_effect(*choice.then) ||
             (choice.otherwise != nullptr && has_effect(choice.otherwise));
    }
    case Node::case_: {
      const Case& choice = as<Case>(*expression);
      return has_effect(choice.subject) ||
             std::any_of(choice.options.begin(), choice.options.end(), [](const CaseOption& option) {
               return has_effect(*option.body) ||
                      std::any_of(option.values.begin(), option.values.end(),
                                  [](const Expression* value) { return has_effect(value); });
             });
    }
    default:
      return false;
  }
}

std::string_view describe_expression(Node node) noexcept {
  switch (node) {
    case Node::literal:
    case Node::interpolation:
      return "this value";
    case Node::word:
      return "this word";
    case Node::variable:
      return "this variable";
    case Node::if_:
      return "this 'if'";
    case Node::case_:
      return "this 'case'";
    case Node::selector:
      return "this selector";
    case Node::binary:
    case Node::unary:
      return "this operation";
    case Node::regex:
      return "this regular expression";
    case Node::type_name:
      return "this type";
    case Node::list:
      return "this list";
    case Node::hash:
      return "this hash";
    default:
      return "this expression";
  }
}

}  // namespace

void Parser::require_effect(const Expression& statement) const {
  if (has_effect(&statement)) return;
  Error error = this->error(statement.origin,
                            std::string(describe_expression(statement.node)) + " has no effect: its value is not used");
  if (statement.node == Node::word) {
    const std::string name(as<Word>(statement).value.text());
    const std::string_view near = near_keyword(name);
    throw std::move(error).hint(near.empty() ? "functions are called as " + name + "(…)"
                                             : "did you mean '" + std::string(near) + "'?");
  }
  throw Error(error);
}

const Block* Parser::block() {
  const Level level(*this);
  if (peek().kind != TokenKind::left_brace) throw unexpected("'{'");
  const Token opening = next();
  const Inside inside(*this);
  const auto inner = statements(TokenKind::right_brace);
  close(TokenKind::right_brace, opening, "a statement or '}'");
  return make(Block{base(Node::block, origin(opening)), inner}, height(inner));
}

const Block* Parser::program(Problems& errors) {
  gather(&errors);
  const Origin begin = lexer_.origin(0);
  try {
    const auto inner = statements(TokenKind::end);
    gather(nullptr);
    return make(Block{base(Node::block, begin), inner}, height(inner));
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    if (!errors.is_full()) errors.add(error);
    gather(nullptr);
    return tree_.make(Block{base(Node::block, begin), {}});
  }
}

std::span<const Expression* const> Parser::statements(TokenKind end) {
  Gathered statements(expressions_);
  const Expression* last = nullptr;  // Null where an error was found in it: nothing more is said of it then.
  const auto one = [&] {
    const std::size_t errors = error_count();
    const Expression* before = std::exchange(last, nullptr);
    const Expression* statement = this->statement();
    statements.add(statement);
    if (accept(TokenKind::semicolon) && (at_end() || peek().kind == end)) throw unexpected("a statement after ';'");
    if (error_count() == errors) last = statement;
    if (before != nullptr) require_effect(*before);
  };
  for (bool goes_on = true; goes_on;) {
    attempt([&] {
      goes_on = !at_end() && peek().kind != end;
      if (goes_on) one();
    });
  }
  return tree_.keep(statements.items());
}

const Expression* Parser::statement() {
  if (at_statement_call()) return statement_call();
  const Token first = peek();
  const Expression* whole = assignment();
  if (peek().kind == TokenKind::left_brace &&
      (whole->node == Node::word || whole->node == Node::type_name || whole->node == Node::access)) {
    throw error(origin(first), "a resource is not allowed here").hint("only expressions are supported");
  }
  if (whole->node == Node::word && as<Word>(*whole).value.text() == "import") {
    throw error(whole->origin, "there is no 'import'").hint("files are found by their names");
  }
  return whole;
}

bool Parser::at_statement_call() {
  return peek().kind == TokenKind::name && is_statement_function(peek().text) && begins_argument(peek_second().kind);
}

const Expression* Parser::statement_call() {
  const Token name = next();
  Gathered items(expressions_);
  do {
    items.add(assignment());
  } while (accept(TokenKind::comma));
  const Origin at = origin(name);
  return make(Call{base(Node::call, at), name.text, tree_.keep(items.items()), nullptr, false, at},
              height(items.items()));
}

const Lambda* Parser::lambda() {
  const Level level(*this);
  const Token opening = expect(TokenKind::pipe);
  const Inside inside(*this);
  Gathered parameters(parameters_);
  std::size_t below = 0;
  while (peek().kind != TokenKind::pipe) {
    if (!parameters.items().empty() && parameters.items().back().takes_rest) {
      throw error(parameters.items().back().origin, "the parameter that takes the rest must be the last one");
    }
    parameters.add(parameter(below));
    if (!accept(TokenKind::comma)) break;
  }
  close(TokenKind::pipe, opening, "',' or '|' after a parameter");
  const Expression* return_type = nullptr;
  if (accept(TokenKind::shift_right)) {
    if (peek().kind != TokenKind::reference) throw unexpected("a type after '>>'");
    return_type = postfix(primary());
  }
  const Block* body = block();
  below = std::max({below, height(return_type), height(body)});
  return make(Lambda{base(Node::lambda, origin(opening)), tree_.keep(parameters.items()), return_type, body}, below);
}

LambdaParameter Parser::parameter(std::size_t& below) {
  LambdaParameter parameter;
  if (peek().kind == TokenKind::reference) parameter.type = postfix(primary());
  parameter.takes_rest = accept(TokenKind::times);
  if (peek().kind != TokenKind::variable) throw unexpected("a parameter: $name");
  const Token name = next();
  if (!is_local_name(name.text)) throw error(origin(name), "'$" + std::string(name.text) + "' is not a parameter name");
  parameter.name = name.text;
  parameter.origin = origin(name);
  if (accept(TokenKind::assign)) parameter.default_value = binary(0);
  below = std::max({below, height(parameter.type), height(parameter.default_value)});
  return parameter;
}

}  // namespace strata::puppet
