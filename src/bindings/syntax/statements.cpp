// SPDX-License-Identifier: Apache-2.0
// The statements.
#include <algorithm>

#include "bindings/syntax/document_parser.hpp"
#include "bindings/syntax/words.hpp"

namespace strata::bindings {

using puppet::Node;
using puppet::Parser;
using puppet::Token;
using puppet::TokenKind;

namespace {

Statement begun(Form form, Origin origin) {
  Statement statement;
  statement.form = form;
  statement.origin = origin;
  return statement;
}

bool begins_entry(const Token& token) {
  static constexpr std::string_view kWords[] = {"bind", "multibind", "rebind", "include", "exclude", "when"};
  return std::any_of(std::begin(kWords), std::end(kWords), [&](std::string_view word) { return is_word(token, word); });
}

}  // namespace

void DocumentParser::bind() {
  const Token keyword = parser_.next();
  Statement statement = begun(Form::bind, parser_.origin(keyword));
  Modifiers given;
  modifiers(given);
  const auto inner = [&](Form form) {
    statement.form = form;
    parser_.next();
    modifiers(given);
    apply(given, statement);
  };
  if (at_word(parser_, "parameters")) {
    statement.form = Form::parameters;
    parser_.next();
    statement.key.type = type_reference(true);
    statement.key.origin = statement.key.type.origin;
    modifiers(given);
    apply(given, statement);
    return parameters(statement);
  }
  if (at_word(parser_, "variable") || at_word(parser_, "variables")) {
    inner(Form::variables);
    return variables(statement);
  }
  if (at_word(parser_, "map")) {
    inner(Form::map);
    return map(statement);
  }
  if (at_word(parser_, "dependency")) {
    inner(Form::dependency);
    return dependency(statement);
  }
  if (at_word(parser_, "alias") || at_word(parser_, "renamed")) {
    statement.form = at_word(parser_, "alias") ? Form::alias : Form::renamed;
    parser_.next();
    statement.key = key();
    expect_word(parser_, "as", "'as' and the new key");
    modifiers(given);
    apply(given, statement);
    return alias(statement);
  }
  apply(given, statement);
  plain(statement);
}

void DocumentParser::clauses(Statement& statement, Clauses& found) {
  const auto text = [&](std::string_view what) -> const Expression* {
    if (parser_.peek().kind != TokenKind::text && parser_.peek().kind != TokenKind::text_begin)
      throw parser_.unexpected(what);
    return parser_.text();
  };
  if (at_word(parser_, "as")) {
    found.as = parser_.next();
    statement.id = text("the id of the multibind in quotes after 'as'");
  }
  if (at_word(parser_, "to")) {
    found.to = parser_.next();
    statement.producer = producer();
  }
  if (at_word(parser_, "in")) {
    found.in = parser_.next();
    const Expression* id = text("the id of a multibind in quotes after 'in'");
    if (found.as.kind == TokenKind::end) statement.id = id;
  }
  if (parser_.peek().kind == TokenKind::left_brace) {
    found.options = parser_.peek();
    statement.options = options();
  }
  // What goes on in the same line was meant for this statement.
  const Token& next = parser_.peek();
  if (found.to.kind != TokenKind::end || found.in.kind != TokenKind::end || found.options.kind != TokenKind::end)
    return;
  const bool ends =
      next.kind == TokenKind::end || next.kind == TokenKind::right_brace || next.first_of_line || begins_entry(next);
  if (!ends) throw parser_.unexpected("'to' and what is bound");
}

void DocumentParser::plain(Statement& statement) {
  statement.key.origin = parser_.origin(parser_.peek());
  if (at_key()) {
    statement.key = key();
  } else if (!at_word(parser_, "to") && !at_word(parser_, "in") && !at_word(parser_, "as")) {
    static constexpr std::string_view kWords[] = {"to",  "abstract", "override", "parameters", "variable", "variables",
                                                  "map", "alias",    "renamed",  "dependency", "class"};
    throw unknown_word(parser_, kWords, "a name in quotes, a type, or 'to'");
  }
  Clauses found;
  clauses(statement, found);
  check_plain(statement, found);
  add(statement);
}

void DocumentParser::parameters(Statement& statement) {
  Clauses found;
  clauses(statement, found);
  refuse(found.as, "'as'", "it gives a multibind an id");
  refuse(found.in, "'in'", "parameters are bound, not contributed");
  if (statement.is_abstract) throw wrong(statement.origin, "parameters cannot be abstract");
  if (found.to.kind == TokenKind::end)
    throw wrong(statement.origin, "these parameters have no producer")
        .hint("write bind parameters ntp to { enable => true }");
  require_value(statement, "these parameters have");
  add(statement);
}

void DocumentParser::variables(Statement& statement) {
  if (parser_.peek().kind == TokenKind::reference && !at_word(parser_, "to")) {
    statement.key.type = type_reference(false);
    statement.key.origin = statement.key.type.origin;
  }
  expect_word(parser_, "to",
              statement.is_abstract ? "'to' and the names of the variables" : "'to' and a hash of variables");
  statement.producer = producer();
  if (at_word(parser_, "in")) refuse(parser_.peek(), "'in'", "variables are bound, not contributed");
  check_variables(statement);
  add(statement);
}

void DocumentParser::map(Statement& statement) {
  statement.key.type = type_reference(true);
  statement.key.origin = statement.key.type.origin;
  expect_word(parser_, "to", "'to' and the type that parameters are taken from");
  statement.target.type = type_reference(true);
  statement.target.origin = statement.target.type.origin;
  const Expression* right = statement.target.type.expression;
  if (parser_.at_list()) {
    statement.producer = {Producer::Kind::expression, false, name_list(), false, statement.target.origin};
  } else if (parser_.peek().kind == TokenKind::left_brace) {
    statement.options = options();
  } else if (right->node == Node::access) {
    // `Z[b, c]` without a blank: no type has parts here, so that these are the names.
    const auto& access = puppet::as<puppet::Access>(*right);
    const puppet::List list{{Node::list, false, right->origin}, access.keys};
    statement.target.type.expression = access.target;
    statement.producer = {Producer::Kind::expression, false, parser_.make(list, Parser::height(access.keys)), false,
                          right->origin};
  } else {
    throw parser_.unexpected("'{ name => name }' or '[name]', which parameter is which");
  }
  if (statement.is_abstract) throw wrong(statement.origin, "a map cannot be abstract");
  add(statement);
}

void DocumentParser::alias(Statement& statement) {
  statement.target = key();
  const std::string_view subject = statement.form == Form::alias ? "an alias" : "a renamed key";
  if (at_word(parser_, "to")) refuse(parser_.peek(), "'to'", std::string(subject) + " has the producer of its source");
  if (at_word(parser_, "in")) refuse(parser_.peek(), "'in'", std::string(subject) + " cannot be a contribution");
  add(statement);
}

void DocumentParser::dependency(Statement& statement) {
  Parser::Gathered edges(edges_);
  std::span<const TypeReference> left = references();
  do {
    const Token arrow = parser_.peek();
    if (arrow.kind != TokenKind::before && arrow.kind != TokenKind::notifies) {
      Error error = parser_.unexpected("'->' or '~>'");
      const bool is_reversed = arrow.kind == TokenKind::before_reversed || arrow.kind == TokenKind::notifies_reversed;
      if (is_reversed) throw std::move(error).hint("write it from left to right, with -> or ~>");
      throw Error(error);
    }
    parser_.next();
    const std::span<const TypeReference> right = references();
    edges.add({left, right, arrow.kind == TokenKind::notifies, parser_.origin(arrow)});
    left = right;
  } while (parser_.peek().kind == TokenKind::before || parser_.peek().kind == TokenKind::notifies ||
           parser_.peek().kind == TokenKind::before_reversed || parser_.peek().kind == TokenKind::notifies_reversed);
  if (statement.is_abstract || statement.is_override) {
    throw wrong(statement.origin,
                std::string("a dependency cannot be ") + (statement.is_abstract ? "abstract" : "an override"));
  }
  if (at_word(parser_, "to")) refuse(parser_.peek(), "'to'", "a dependency has no producer");
  statement.edges = tree_.keep(edges.items());
  add(statement);
}

void DocumentParser::multibind() {
  Statement statement = begun(Form::multibind, parser_.origin(parser_.next()));
  Modifiers given;
  modifiers(given);
  apply(given, statement);
  if (!at_key()) throw parser_.unexpected("the type of the multibind, Array[…] or Hash[…]");
  statement.key = key();
  Clauses found;
  clauses(statement, found);
  check_multibind(statement, found);
  add(statement);
}

void DocumentParser::rebind() {
  Statement statement = begun(Form::rebind, parser_.origin(parser_.next()));
  Modifiers given;
  modifiers(given);
  apply(given, statement);
  statement.key = key();
  if (at_word(parser_, "to"))
    refuse(parser_.peek(), "'to'", "it rebinds the key to the producer that is below; use bind for another one");
  if (at_word(parser_, "in")) refuse(parser_.peek(), "'in'", "a rebind cannot be a contribution");
  add(statement);
}

void DocumentParser::classes() {
  const Token keyword = parser_.next();
  Statement statement = begun(is_word(keyword, "include") ? Form::include : Form::exclude, parser_.origin(keyword));
  Modifiers given;
  modifiers(given);
  refuse(given.abstract, "'abstract'", "a class is included or not");
  refuse(given.override_, "'override'", "a class is included or not");
  Parser::Gathered names(names_);
  if (!parser_.at_list()) {
    names.add(class_name());
  } else {
    const Token opening = parser_.next();
    do {
      if (!names.items().empty() && parser_.peek().kind == TokenKind::right_bracket) break;
      names.add(class_name());
    } while (parser_.accept(TokenKind::comma));
    parser_.close(TokenKind::right_bracket, opening, "',' or ']' after the name of a class");
  }
  statement.names = tree_.keep(names.items());
  add(statement);
}

}  // namespace strata::bindings
