// SPDX-License-Identifier: Apache-2.0
#include "jinja/parser.hpp"

#include <algorithm>
#include <array>

#include "strata/error.hpp"
#include "strata/stack.hpp"

namespace strata::jinja {
namespace {

constexpr std::size_t kMaxBlocks = 60;

std::string describe_token(const Token& token) {
  switch (token.kind) {
    case TokenKind::data:
      return "text";
    case TokenKind::variable_begin:
      return "'{{'";
    case TokenKind::variable_end:
      return "'}}'";
    case TokenKind::block_begin:
      return "'{%'";
    case TokenKind::block_end:
      return "'%}'";
    case TokenKind::text:
      return "a text";
    case TokenKind::integer:
    case TokenKind::floating:
      return "a number";
    case TokenKind::end:
      return "the end of the template";
    default:
      return "'" + token.value + "'";
  }
}

bool is_constant_name(std::string_view name) {
  static constexpr std::array kConstants = {"true", "false", "none", "True", "False", "None"};
  return std::find(kConstants.begin(), kConstants.end(), name) != kConstants.end();
}

}  // namespace

using StatementKind = Statement::Kind;

bool Parser::skip_name(std::string_view name) {
  if (!current().is_name(name)) return false;
  take();
  return true;
}

bool Parser::skip_symbol(std::string_view symbol) {
  if (!current().is_symbol(symbol)) return false;
  take();
  return true;
}

void Parser::expect_symbol(std::string_view symbol) {
  if (!skip_symbol(symbol)) fail_expected("'" + std::string(symbol) + "'");
}

void Parser::expect_name(std::string_view name) {
  if (!skip_name(name)) fail_expected("'" + std::string(name) + "'");
}

void Parser::expect(TokenKind kind, std::string_view what) {
  if (current().kind != kind) fail_expected(what);
  take();
}

std::string Parser::expect_identifier() {
  if (current().kind != TokenKind::name) fail_expected("a name");
  return take().value;
}

void Parser::fail(std::string message) const { fail_at(current().at, std::move(message)); }

void Parser::fail_at(std::uint32_t at, std::string message, std::string_view code) const {
  throw Error(code, std::move(message)).at(source_.sources(), source_.origin(at));
}

void Parser::fail_expected(std::string_view what) const {
  fail("expected " + std::string(what) + ", found " + describe_token(current()));
}

Body Parser::parse_template() {
  Body body = parse_body({});
  if (!unknown_.empty()) fail_at(unknown_.front().at, unknown_.front().message);
  return body;
}

/// Text, output and blocks up to one of `ends`, whose name is then the current token; without `ends` up to the end.
Body Parser::parse_body(std::initializer_list<std::string_view> ends) {
  const Scoped<std::size_t> guard(nesting_, nesting_ + 1);
  if (nesting_ > kMaxBlocks) fail("the blocks are nested too deeply");
  Body body;
  for (;;) {
    const Token& token = current();
    switch (token.kind) {
      case TokenKind::data: {
        Statement& text = body.emplace_back();
        text.at = token.at;
        text.end = token.end;
        take();
        break;
      }
      case TokenKind::variable_begin: {
        take();
        Statement output;
        output.kind = StatementKind::output;
        output.at = token.at;
        output.expressions.push_back(parse_tuple({}));
        expect(TokenKind::variable_end, "'}}'");
        body.push_back(std::move(output));
        break;
      }
      case TokenKind::block_begin:
        take();
        if (current().kind == TokenKind::name && std::find(ends.begin(), ends.end(), current().value) != ends.end())
          return body;
        body.push_back(parse_statement());
        expect(TokenKind::block_end, "'%}'");
        break;
      default:
        if (ends.size() > 0)
          fail("the template ends where '" + std::string(ends.begin()[ends.size() - 1]) + "' was expected");
        return body;
    }
  }
}

/// The rest of the opening tag and the body.
Body Parser::parse_block(std::initializer_list<std::string_view> ends) {
  skip_symbol(":");
  expect(TokenKind::block_end, "'%}'");
  return parse_body(ends);
}

Statement Parser::parse_statement() {
  static constexpr std::array kUnsupported = {"block", "extends", "include", "from", "import", "autoescape"};
  if (current().kind != TokenKind::name) fail("expected the name of a statement");
  const Token& token = take();
  const std::string& name = token.value;
  if (name == "for") return parse_for(token.at);
  if (name == "if") return parse_if(token.at);
  if (name == "set") return parse_set(token.at);
  if (name == "with") return parse_with(token.at);
  if (name == "filter") return parse_filter_block(token.at);
  if (name == "macro") return parse_macro(token.at);
  if (name == "call") return parse_call_block(token.at);
  if (name == "print") return parse_print(token.at);
  if (name == "do") {
    Statement statement;
    statement.kind = StatementKind::evaluate;
    statement.at = token.at;
    statement.expressions.push_back(parse_tuple({}));
    return statement;
  }
  if (std::find(kUnsupported.begin(), kUnsupported.end(), name) != kUnsupported.end()) {
    fail_at(token.at, "the statement '" + name + "' is not supported in templates", "jinja.unsupported");
  }
  fail_at(token.at, "there is no statement '" + name + "'");
}

Statement Parser::parse_for(std::uint32_t at) {
  const Scoped<std::size_t> loops(loops_, loops_ + 1);
  Statement statement;
  statement.kind = StatementKind::loop;
  statement.at = at;
  statement.targets.push_back(parse_target());
  expect_name("in");
  TupleRules rules;
  rules.conditional = false;
  statement.expressions.push_back(parse_tuple(rules));
  const Scoped<bool> soft(unknown_is_soft_, false);
  if (skip_name("if")) statement.expressions.push_back(parse_expression());
  statement.is_recursive = skip_name("recursive");
  statement.bodies.push_back(parse_block({"else", "endfor"}));
  if (take().value == "else") {
    statement.bodies.push_back(parse_block({"endfor"}));
    take();
  }
  return statement;
}

Statement Parser::parse_if(std::uint32_t at) {
  const Scoped<bool> soft(unknown_is_soft_, true);
  TupleRules rules;
  rules.conditional = false;
  Statement statement;
  statement.kind = StatementKind::branch;
  statement.at = at;
  for (;;) {
    statement.expressions.push_back(parse_tuple(rules));
    statement.bodies.push_back(parse_block({"elif", "else", "endif"}));
    const std::string& end = take().value;
    if (end == "elif") continue;
    if (end == "else") {
      statement.bodies.push_back(parse_block({"endif"}));
      take();
    }
    return statement;
  }
}

Statement Parser::parse_set(std::uint32_t at) {
  Statement statement;
  statement.at = at;
  if (current().kind == TokenKind::name && next().is_symbol(".")) {
    Target& target = statement.targets.emplace_back();
    target.at = current().at;
    target.name = take().value;
    take();
    target.member = expect_identifier();
  } else {
    statement.targets.push_back(parse_target());
  }
  if (skip_symbol("=")) {
    statement.kind = StatementKind::assign;
    statement.expressions.push_back(parse_tuple({}));
    return statement;
  }
  statement.kind = StatementKind::capture;
  const Scoped<bool> soft(unknown_is_soft_, false);
  ExpressionPtr filter;
  while (skip_symbol("|")) filter = parse_filter(std::move(filter));
  if (filter) statement.expressions.push_back(std::move(filter));
  statement.bodies.push_back(parse_block({"endset"}));
  take();
  return statement;
}

Statement Parser::parse_with(std::uint32_t at) {
  Statement statement;
  statement.kind = StatementKind::scope;
  statement.at = at;
  while (current().kind != TokenKind::block_end) {
    if (!statement.targets.empty()) expect_symbol(",");
    statement.targets.push_back(parse_target());
    expect_symbol("=");
    statement.expressions.push_back(parse_expression());
  }
  const Scoped<bool> soft(unknown_is_soft_, false);
  statement.bodies.push_back(parse_block({"endwith"}));
  take();
  return statement;
}

Statement Parser::parse_filter_block(std::uint32_t at) {
  const Scoped<bool> soft(unknown_is_soft_, false);
  Statement statement;
  statement.kind = StatementKind::filter;
  statement.at = at;
  ExpressionPtr filter = parse_filter(nullptr);
  while (skip_symbol("|")) filter = parse_filter(std::move(filter));
  statement.expressions.push_back(std::move(filter));
  statement.bodies.push_back(parse_block({"endfilter"}));
  take();
  return statement;
}

std::vector<Parameter> Parser::parse_parameters() {
  std::vector<Parameter> parameters;
  expect_symbol("(");
  while (!current().is_symbol(")")) {
    if (!parameters.empty()) expect_symbol(",");
    Parameter parameter;
    parameter.name = parse_target_name().name;
    for (const Parameter& other : parameters) {
      if (other.name == parameter.name) fail("the parameter '" + parameter.name + "' is given twice");
    }
    if (skip_symbol("=")) {
      parameter.standard = parse_expression();
    } else if (!parameters.empty() && parameters.back().standard) {
      fail("a parameter without a default follows one that has one");
    }
    parameters.push_back(std::move(parameter));
  }
  expect_symbol(")");
  return parameters;
}

void Parser::fill_macro(Statement& macro, std::initializer_list<std::string_view> ends) {
  const Scoped<bool> soft(unknown_is_soft_, false);
  macros_.emplace_back();
  macro.bodies.push_back(parse_block(ends));
  take();
  macro.uses_varargs = macros_.back().varargs;
  macro.uses_kwargs = macros_.back().kwargs;
  macro.uses_caller = macros_.back().caller;
  macros_.pop_back();
}

Statement Parser::parse_macro(std::uint32_t at) {
  Statement statement;
  statement.kind = StatementKind::macro;
  statement.at = at;
  statement.name = parse_target_name().name;
  statement.parameters = parse_parameters();
  fill_macro(statement, {"endmacro"});
  return statement;
}

Statement Parser::parse_call_block(std::uint32_t at) {
  Statement statement;
  statement.kind = StatementKind::call;
  statement.at = at;
  if (current().is_symbol("(")) statement.parameters = parse_parameters();
  statement.expressions.push_back(parse_expression());
  if (statement.expressions.front()->kind != Expression::Kind::call) fail_at(at, "expected a call");
  fill_macro(statement, {"endcall"});
  return statement;
}

Statement Parser::parse_print(std::uint32_t at) {
  Statement statement;
  statement.kind = StatementKind::output;
  statement.at = at;
  while (current().kind != TokenKind::block_end) {
    if (!statement.expressions.empty()) expect_symbol(",");
    statement.expressions.push_back(parse_expression());
  }
  return statement;
}

Target Parser::parse_target_name() {
  Target target;
  target.at = current().at;
  target.name = expect_identifier();
  if (is_constant_name(target.name)) fail_at(target.at, "'" + target.name + "' cannot be assigned to");
  if (loops_ > 0 && target.name == "loop") fail_at(target.at, "the variable 'loop' of a loop cannot be assigned to");
  return target;
}

Target Parser::parse_single_target() {
  if (!current().is_symbol("(")) return parse_target_name();
  const Scoped<std::size_t> guard(nesting_, nesting_ + 1);
  if (nesting_ > kMaxBlocks) fail("the targets are nested too deeply");
  take();
  Target target;
  if (current().is_symbol(")")) {
    target.is_tuple = true;
  } else {
    target = parse_target();
  }
  expect_symbol(")");
  return target;
}

/// One target, or a tuple of them. (A comma before `in` makes the reference look for one more.)
Target Parser::parse_target() {
  Target tuple;
  tuple.at = current().at;
  tuple.is_tuple = true;
  bool has_comma = false;
  for (;;) {
    const bool ended = current().kind == TokenKind::block_end || current().is_symbol(")");
    if (ended && !tuple.items.empty()) break;
    tuple.items.push_back(parse_single_target());
    if (!skip_symbol(",")) break;
    has_comma = true;
  }
  if (!has_comma) return Target(tuple.items.front());
  return tuple;
}

Body parse(const TemplateText& text) {
  // What the bounds of nesting here take.
  constexpr std::size_t kLevels = 150;
  check_stack(kLevels);
  return Parser(text).parse_template();
}

}  // namespace strata::jinja
