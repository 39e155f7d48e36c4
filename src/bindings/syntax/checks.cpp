// SPDX-License-Identifier: Apache-2.0
// What each form of a statement needs.
#include "bindings/syntax/document_parser.hpp"
#include "puppet/quote.hpp"

namespace strata::bindings {

using puppet::Node;
using puppet::TokenKind;

void DocumentParser::refuse(const Token& token, std::string_view what, std::string_view hint) const {
  if (token.kind == TokenKind::end) return;
  throw wrong(parser_.origin(token), std::string(what) + " is not allowed here").hint(std::string(hint));
}

std::string DocumentParser::subject(const Statement& statement) const {
  const Expression* name = statement.key.name;
  if (name != nullptr && name->node == Node::literal)
    return "binding " + puppet::quote(puppet::as<puppet::Literal>(*name).value.text());
  return "this binding";
}

bool DocumentParser::produces_undef(const Statement& statement) noexcept {
  const Expression* produced = statement.producer.expression;
  return produced != nullptr && produced->node == Node::literal &&
         puppet::as<puppet::Literal>(*produced).value.is_null();
}

void DocumentParser::require_value(const Statement& statement, std::string_view what) const {
  if (produces_undef(statement))
    throw wrong(statement.producer.expression->origin, std::string(what) + " no value: undef");
}

void DocumentParser::check_plain(const Statement& statement, const Clauses& clauses) const {
  const bool has_key = statement.key.name != nullptr || statement.key.type;
  const bool has_producer = clauses.to.kind != TokenKind::end;
  refuse(clauses.as, "'as'", "an id belongs to a multibind, a new key to bind alias or bind renamed");
  if (clauses.in.kind != TokenKind::end) {
    if (statement.is_abstract) throw wrong(statement.origin, "a contribution cannot be abstract");
    if (statement.is_override)
      throw wrong(statement.origin, "a contribution cannot be an override: it adds to a multibind and hides nothing");
    if (!has_producer)
      throw wrong(statement.origin, "this contribution has no producer")
          .hint("write 'to' and what is contributed before 'in'");
    return require_value(statement, "this contribution has");
  }
  if (!has_key)
    throw wrong(statement.origin, "this binding has no key")
        .hint("write a name in quotes or a type after 'bind', or 'in' and the id of a multibind");
  if (statement.is_abstract) {
    if (has_producer) {
      throw wrong(parser_.origin(clauses.to), subject(statement) + " is abstract and cannot have a producer")
          .hint("it must be bound elsewhere");
    }
    return;
  }
  if (!has_producer)
    throw wrong(statement.origin, subject(statement) + " has no producer")
        .hint("write 'to' and a value, or bind abstract");
  // Most have one: their names are not spelled out.
  if (produces_undef(statement)) require_value(statement, subject(statement) + " has");
}

void DocumentParser::check_multibind(const Statement& statement, const Clauses& clauses) const {
  const auto name_of = [](const Expression* type) -> std::string_view {
    if (type == nullptr) return {};
    if (type->node == Node::access) type = puppet::as<puppet::Access>(*type).target;
    return type->node == Node::type_name ? puppet::as<puppet::TypeName>(*type).name : std::string_view();
  };
  const std::string_view type = name_of(statement.key.type.expression);
  if (type != "Array" && type != "Hash") {
    throw wrong(statement.key.origin, "a multibind needs a type: Array[…] or Hash[…]")
        .hint("write multibind Array[String], 'name'");
  }
  refuse(clauses.in, "'in'", "a multibind cannot be a contribution");
  if (clauses.to.kind == TokenKind::end) return;
  if (statement.is_abstract) throw wrong(parser_.origin(clauses.to), "an abstract multibind cannot have a producer");
  if (statement.producer.kind == Producer::Kind::named) return;
  throw wrong(parser_.origin(clauses.to), "a multibind has no producer, except one of an extension: to producer …")
      .hint("contribute with bind to … in 'id'");
}

void DocumentParser::check_variables(const Statement& statement) const {
  const Expression* produced = statement.producer.expression;
  require_value(statement, "these variables have");
  if (statement.is_abstract && produced->node == Node::hash) {
    throw wrong(produced->origin, "abstract variables have no values")
        .hint("write the names: bind abstract variables to ['a', 'b']");
  }
  const bool is_no_hash =
      produced->node == Node::literal || produced->node == Node::list || produced->node == Node::word;
  if (!statement.is_abstract && is_no_hash) {
    throw wrong(produced->origin, "expected a hash of variables").hint("write bind variables to { name => value }");
  }
}

}  // namespace strata::bindings
