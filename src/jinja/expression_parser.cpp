// SPDX-License-Identifier: Apache-2.0
// Expressions, loosest binding first.
#include <algorithm>

#include "jinja/filters.hpp"
#include "jinja/parser.hpp"

namespace strata::jinja {
namespace {

// Both keep recursion over templates well inside any stack.
constexpr std::size_t kMaxNesting = 150;
constexpr std::uint16_t kMaxExpressionDepth = 300;

}  // namespace

using ExpressionKind = Expression::Kind;

ExpressionPtr Parser::make(ExpressionKind kind, std::uint32_t at) const {
  auto node = std::make_unique<Expression>();
  node->kind = kind;
  node->at = at;
  return node;
}

ExpressionPtr Parser::make(ExpressionKind kind, std::uint32_t at, ExpressionPtr first, ExpressionPtr second) const {
  ExpressionPtr node = make(kind, at);
  adopt(*node, std::move(first));
  if (second) adopt(*node, std::move(second));
  return node;
}

void Parser::adopt(Expression& owner, ExpressionPtr child) const {
  deepen(owner, child.get());
  owner.items.push_back(std::move(child));
}

void Parser::deepen(Expression& owner, const Expression* child) const {
  if (child == nullptr) return;
  owner.depth = std::max<std::uint16_t>(owner.depth, static_cast<std::uint16_t>(child->depth + 1));
  if (owner.depth > kMaxExpressionDepth) fail_at(owner.at, "the expression is nested too deeply");
}

ExpressionPtr Parser::parse_expression(bool conditional) {
  const Scoped<std::size_t> guard(nesting_, nesting_ + 1);
  if (nesting_ > kMaxNesting) fail("the expression is nested too deeply");
  return conditional ? parse_conditional() : parse_or();
}

ExpressionPtr Parser::parse_tuple(const TupleRules& rules) {
  const std::uint32_t at = current().at;
  const auto ended = [&] {
    const Token& token = current();
    return token.kind == TokenKind::variable_end || token.kind == TokenKind::block_end || token.is_symbol(")");
  };
  std::vector<ExpressionPtr> items;
  bool is_tuple = false;
  for (;;) {
    if (!items.empty()) expect_symbol(",");
    if (ended()) break;
    items.push_back(parse_expression(rules.conditional));
    if (!current().is_symbol(",")) break;
    is_tuple = true;
  }
  if (!is_tuple) {
    if (!items.empty()) return std::move(items.front());
    if (!rules.in_parentheses) fail_expected("an expression");
  }
  ExpressionPtr tuple = make(ExpressionKind::tuple, at);
  for (ExpressionPtr& item : items) adopt(*tuple, std::move(item));
  return tuple;
}

ExpressionPtr Parser::parse_conditional() {
  const std::size_t unknown_before = unknown_.size();
  const std::uint32_t place = current().at;
  ExpressionPtr node = parse_or();
  while (skip_name("if")) {
    ExpressionPtr condition = parse_or();
    ExpressionPtr otherwise = skip_name("else") ? parse_expression() : nullptr;
    node = make(ExpressionKind::conditional, place, std::move(node), std::move(condition));
    adopt(*node, std::move(otherwise));
    unknown_.resize(unknown_before);
  }
  return node;
}

ExpressionPtr Parser::parse_or() {
  ExpressionPtr left = parse_and();
  while (current().is_name("or")) {
    const std::uint32_t at = take().at;
    left = make(ExpressionKind::logical_or, at, std::move(left), parse_and());
  }
  return left;
}

ExpressionPtr Parser::parse_and() {
  ExpressionPtr left = parse_not();
  while (current().is_name("and")) {
    const std::uint32_t at = take().at;
    left = make(ExpressionKind::logical_and, at, std::move(left), parse_not());
  }
  return left;
}

ExpressionPtr Parser::parse_not() {
  if (!current().is_name("not")) return parse_comparison();
  const std::uint32_t at = take().at;
  const Scoped<std::size_t> guard(nesting_, nesting_ + 1);
  if (nesting_ > kMaxNesting) fail("the expression is nested too deeply");
  return make(ExpressionKind::logical_not, at, parse_not());
}

ExpressionPtr Parser::parse_comparison() {
  static constexpr std::pair<std::string_view, Comparison> kComparisons[] = {
      {"==", Comparison::equal},      {"!=", Comparison::not_equal}, {"<", Comparison::less},
      {"<=", Comparison::less_equal}, {">", Comparison::greater},    {">=", Comparison::greater_equal},
  };
  ExpressionPtr node = parse_sum();
  for (bool is_chain = false;; is_chain = true) {
    const std::uint32_t at = current().at;
    Comparison comparison = Comparison::in;
    const auto* found = std::find_if(std::begin(kComparisons), std::end(kComparisons),
                                     [&](const auto& entry) { return current().is_symbol(entry.first); });
    if (found != std::end(kComparisons)) {
      comparison = found->second;
      take();
    } else if (current().is_name("not") && next().is_name("in")) {
      comparison = Comparison::not_in;
      take();
      take();
    } else if (!skip_name("in")) {
      break;
    }
    if (!is_chain) node = make(ExpressionKind::compare, at, std::move(node));
    node->comparisons.push_back(comparison);
    adopt(*node, parse_sum());
  }
  return node;
}

ExpressionPtr Parser::parse_sum() {
  ExpressionPtr left = parse_concatenation();
  while (current().is_symbol("+") || current().is_symbol("-")) {
    const Token& token = take();
    const Operator operation = token.value == "+" ? Operator::add : Operator::subtract;
    left = make(ExpressionKind::calculate, token.at, std::move(left), parse_concatenation());
    left->operation = operation;
  }
  return left;
}

ExpressionPtr Parser::parse_concatenation() {
  ExpressionPtr first = parse_product();
  if (!current().is_symbol("~")) return first;
  ExpressionPtr node = make(ExpressionKind::concatenate, current().at, std::move(first));
  while (skip_symbol("~")) adopt(*node, parse_product());
  return node;
}

ExpressionPtr Parser::parse_product() {
  static constexpr std::pair<std::string_view, Operator> kOperators[] = {
      {"*", Operator::multiply}, {"/", Operator::divide}, {"//", Operator::floor_divide}, {"%", Operator::modulo}};
  ExpressionPtr left = parse_power();
  for (;;) {
    const auto* found = std::find_if(std::begin(kOperators), std::end(kOperators),
                                     [&](const auto& entry) { return current().is_symbol(entry.first); });
    if (found == std::end(kOperators)) return left;
    const std::uint32_t at = take().at;
    left = make(ExpressionKind::calculate, at, std::move(left), parse_power());
    left->operation = found->second;
  }
}

ExpressionPtr Parser::parse_power() {
  ExpressionPtr left = parse_unary();
  while (current().is_symbol("**")) {
    const std::uint32_t at = take().at;
    left = make(ExpressionKind::calculate, at, std::move(left),
                parse_unary());  // Unlike Python's, it binds from the left.
    left->operation = Operator::power;
  }
  return left;
}

ExpressionPtr Parser::parse_unary(bool with_filter) {
  const Scoped<std::size_t> guard(nesting_, nesting_ + 1);
  if (nesting_ > 2 * kMaxNesting) fail("the expression is nested too deeply");
  ExpressionPtr node;
  if (current().is_symbol("-") || current().is_symbol("+")) {
    const Token& token = take();
    const ExpressionKind kind = token.value == "-" ? ExpressionKind::negative : ExpressionKind::positive;
    node = make(kind, token.at, parse_unary(false));
  } else {
    node = parse_primary();
  }
  node = parse_postfix(std::move(node));
  return with_filter ? parse_filters_and_tests(std::move(node)) : std::move(node);
}

ExpressionPtr Parser::parse_primary() {
  const Token& token = current();
  ExpressionPtr node;
  switch (token.kind) {
    case TokenKind::name:
      return parse_name();
    case TokenKind::text:
      node = make(ExpressionKind::text, token.at);
      while (current().kind == TokenKind::text) node->text += take().value;
      return node;
    case TokenKind::integer:
      node = make(ExpressionKind::integer, token.at);
      node->integer = take().integer;
      return node;
    case TokenKind::floating:
      node = make(ExpressionKind::floating, token.at);
      node->floating = take().floating;
      return node;
    default:
      break;
  }
  if (skip_symbol("(")) {
    TupleRules rules;
    rules.in_parentheses = true;
    node = parse_tuple(rules);
    expect_symbol(")");
    return node;
  }
  if (token.is_symbol("[")) return parse_list();
  if (token.is_symbol("{")) return parse_dict();
  fail_expected("an expression");
}

ExpressionPtr Parser::parse_name() {
  const Token& token = take();
  const std::string& name = token.value;
  if (name == "true" || name == "True" || name == "false" || name == "False") {
    ExpressionPtr node = make(ExpressionKind::boolean, token.at);
    node->integer = name == "true" || name == "True" ? 1 : 0;
    return node;
  }
  if (name == "none" || name == "None") return make(ExpressionKind::none, token.at);
  for (MacroNames& macro : macros_) {
    macro.varargs = macro.varargs || name == "varargs";
    macro.kwargs = macro.kwargs || name == "kwargs";
    macro.caller = macro.caller || name == "caller";
  }
  ExpressionPtr node = make(ExpressionKind::name, token.at);
  node->text = name;
  return node;
}

ExpressionPtr Parser::parse_list() {
  ExpressionPtr node = make(ExpressionKind::list, take().at);
  while (!current().is_symbol("]")) {
    if (!node->items.empty()) expect_symbol(",");
    if (current().is_symbol("]")) break;
    adopt(*node, parse_expression());
  }
  expect_symbol("]");
  return node;
}

ExpressionPtr Parser::parse_dict() {
  ExpressionPtr node = make(ExpressionKind::dict, take().at);
  while (!current().is_symbol("}")) {
    if (!node->items.empty()) expect_symbol(",");
    if (current().is_symbol("}")) break;
    adopt(*node, parse_expression());
    expect_symbol(":");
    adopt(*node, parse_expression());
  }
  expect_symbol("}");
  return node;
}

ExpressionPtr Parser::parse_postfix(ExpressionPtr node) {
  for (;;) {
    if (current().is_symbol(".") || current().is_symbol("[")) {
      node = parse_subscript(std::move(node));
    } else if (current().is_symbol("(")) {
      node = parse_call(std::move(node));
    } else {
      return node;
    }
  }
}

ExpressionPtr Parser::parse_filters_and_tests(ExpressionPtr node) {
  for (;;) {
    if (skip_symbol("|")) {
      node = parse_filter(std::move(node));
    } else if (current().is_name("is")) {
      node = parse_test(std::move(node));
    } else if (current().is_symbol("(")) {
      node = parse_call(std::move(node));
    } else {
      return node;
    }
  }
}

ExpressionPtr Parser::parse_subscript(ExpressionPtr node) {
  const Token& token = take();
  if (token.value == ".") {
    const Token& member = take();
    if (member.kind == TokenKind::name) {
      node = make(ExpressionKind::attribute, token.at, std::move(node));
      node->text = member.value;
      return node;
    }
    if (member.kind != TokenKind::integer) fail_at(member.at, "expected a name or a number");
    ExpressionPtr index = make(ExpressionKind::integer, member.at);
    index->integer = member.integer;
    return make(ExpressionKind::item, token.at, std::move(node), std::move(index));
  }
  if (current().is_symbol(":")) return parse_slice(std::move(node), token.at);
  ExpressionPtr tuple = make(ExpressionKind::tuple, token.at);
  while (!current().is_symbol("]")) {
    if (!tuple->items.empty()) expect_symbol(",");
    if (current().is_symbol(":")) fail("a slice cannot be one of several subscripts");
    ExpressionPtr key = parse_expression();
    if (current().is_symbol(":") && tuple->items.empty()) {
      adopt(*tuple, std::move(key));
      ExpressionPtr slice = parse_slice(std::move(node), token.at);
      slice->items[1] = std::move(tuple->items[0]);
      deepen(*slice, slice->items[1].get());
      return slice;
    }
    adopt(*tuple, std::move(key));
  }
  expect_symbol("]");
  const bool is_single = tuple->items.size() == 1;
  ExpressionPtr key = is_single ? std::move(tuple->items.front()) : std::move(tuple);
  return make(ExpressionKind::item, token.at, std::move(node), std::move(key));
}

/// From the first colon on.
ExpressionPtr Parser::parse_slice(ExpressionPtr node, std::uint32_t at) {
  ExpressionPtr slice = make(ExpressionKind::slice, at, std::move(node));
  adopt(*slice, nullptr);
  expect_symbol(":");
  const auto bound = [&]() -> ExpressionPtr {
    return current().is_symbol(":") || current().is_symbol("]") || current().is_symbol(",") ? nullptr
                                                                                            : parse_expression();
  };
  adopt(*slice, bound());
  adopt(*slice, skip_symbol(":") ? bound() : nullptr);
  if (current().is_symbol(",")) fail("a slice cannot be one of several subscripts");
  expect_symbol("]");
  return slice;
}

CallArguments Parser::parse_arguments(Expression& owner) {
  CallArguments arguments;
  const std::uint32_t at = current().at;
  expect_symbol("(");
  bool first = true;
  const auto ensure = [&](bool fine) {
    if (!fine) fail_at(at, "the arguments of the call are in a wrong order");
  };
  while (!current().is_symbol(")")) {
    if (!first) {
      expect_symbol(",");
      if (current().is_symbol(")")) break;
    }
    first = false;
    if (skip_symbol("*")) {
      ensure(!arguments.rest && !arguments.named_rest);
      arguments.rest = parse_expression();
      deepen(owner, arguments.rest.get());
    } else if (skip_symbol("**")) {
      ensure(!arguments.named_rest);
      arguments.named_rest = parse_expression();
      deepen(owner, arguments.named_rest.get());
    } else if (current().kind == TokenKind::name && next().is_symbol("=")) {
      ensure(!arguments.named_rest);
      std::string name = take().value;
      for (const auto& named : arguments.named) {
        if (named.first == name) fail("the argument '" + name + "' is given twice");
      }
      take();
      arguments.named.emplace_back(std::move(name), parse_expression());
      deepen(owner, arguments.named.back().second.get());
    } else {
      ensure(!arguments.rest && !arguments.named_rest && arguments.named.empty());
      arguments.positional.push_back(parse_expression());
      deepen(owner, arguments.positional.back().get());
    }
  }
  expect_symbol(")");
  return arguments;
}

ExpressionPtr Parser::parse_call(ExpressionPtr node) {
  const std::uint32_t at = node->at;
  node = make(ExpressionKind::call, at, std::move(node));
  node->arguments = parse_arguments(*node);
  return node;
}

std::string Parser::parse_dotted_name() {
  std::string name = expect_identifier();
  while (skip_symbol(".")) name += "." + expect_identifier();
  return name;
}

ExpressionPtr Parser::parse_filter(ExpressionPtr node) {
  const std::uint32_t at = current().at;
  ExpressionPtr filter = make(ExpressionKind::filter, at, std::move(node));
  filter->text = parse_dotted_name();
  if (!find_filter(filter->text) && !is_unsupported_filter(filter->text) && !unknown_is_soft_) {
    unknown_.push_back({at, "there is no filter named '" + filter->text + "'"});
  }
  if (current().is_symbol("(")) filter->arguments = parse_arguments(*filter);
  return filter;
}

ExpressionPtr Parser::parse_test(ExpressionPtr node) {
  take();
  const bool negated = skip_name("not");
  const std::uint32_t at = current().at;
  ExpressionPtr test = make(ExpressionKind::test, at, std::move(node));
  test->text = parse_dotted_name();
  if (!find_test(test->text) && !unknown_is_soft_)
    unknown_.push_back({at, "there is no test named '" + test->text + "'"});
  const Token& token = current();
  const bool is_value = token.kind == TokenKind::name || token.kind == TokenKind::text ||
                        token.kind == TokenKind::integer || token.kind == TokenKind::floating || token.is_symbol("[") ||
                        token.is_symbol("{");
  if (token.is_symbol("(")) {
    test->arguments = parse_arguments(*test);
  } else if (is_value && !token.is_name("else") && !token.is_name("or") && !token.is_name("and")) {
    if (token.is_name("is")) fail("tests cannot be chained");
    test->arguments.positional.push_back(parse_postfix(parse_primary()));
    deepen(*test, test->arguments.positional.back().get());
  }
  return negated ? make(ExpressionKind::logical_not, at, std::move(test)) : std::move(test);
}

}  // namespace strata::jinja
