// SPDX-License-Identifier: Apache-2.0
// Expressions as s-expressions, for tests and comparisons: `(+ 1 (* 2 3))`.
#pragma once

#include <fmt/format.h>

#include <string>

#include "puppet/evaluation/pattern_object.hpp"
#include "puppet/language/ast.hpp"
#include "strata/text.hpp"

namespace strata::puppet::testing {

/// Writes texts as JSON, names as `'name`, blocks as `{…}`.
class TreePrinter {
 public:
  /// `plain`: as Puppet's own trees can be printed, which do not tell bare words from texts, nor an empty `else` from
  /// none.
  static std::string print(const Expression& expression, bool plain = false) {
    TreePrinter printer;
    printer.plain_ = plain;
    printer.node(expression);
    return printer.out_;
  }
  static std::string print(const Condition& condition) {
    TreePrinter printer;
    printer.condition(condition);
    return printer.out_;
  }

 private:
  void node(const Expression* expression) { expression == nullptr ? void(out_ += "()") : node(*expression); }
  void all(std::span<const Expression* const> items) {
    for (const Expression* item : items) {
      out_ += ' ';
      node(*item);
    }
  }
  void form(std::string_view name, std::initializer_list<const Expression*> parts) {
    out_ += fmt::format("({}", name);
    for (const Expression* part : parts) {
      out_ += ' ';
      node(part);
    }
    out_ += ')';
  }
  void text(std::string_view text) { text::append_json_text(out_, text); }

  void literal(const Value& value) {
    switch (value.kind()) {
      case Kind::null:
        out_ += "undef";
        break;
      case Kind::boolean:
        out_ += value.as_boolean() ? "true" : "false";
        break;
      case Kind::integer:
        out_ += std::to_string(value.as_integer());
        break;
      case Kind::floating:
        out_ += fmt::format("{:.17g}f", value.as_floating());
        break;
      default:
        text(value.text());
    }
  }

  static std::string_view sign(BinaryOperator operation) {
    static constexpr std::string_view kSigns[] = {
        "+", "-", "*", "/", "%", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "=~", "!~", "in", "and", "or"};
    return kSigns[static_cast<std::size_t>(operation)];
  }

  [[nodiscard]] const Expression* otherwise(const If& choice) const {
    if (!plain_ || choice.otherwise == nullptr || choice.otherwise->node != Node::block) return choice.otherwise;
    const auto statements = as<Block>(*choice.otherwise).statements;
    if (statements.empty()) return nullptr;
    return statements.size() == 1 && statements[0]->node == Node::if_ && !as<If>(*statements[0]).is_negated
               ? statements[0]
               : choice.otherwise;
  }

  void lambda(const Lambda& lambda) {
    out_ += "(lambda (";
    for (const LambdaParameter& parameter : lambda.parameters) {
      if (&parameter != lambda.parameters.data()) out_ += ' ';
      out_ += fmt::format("({}${} ", parameter.takes_rest ? "*" : "", parameter.name);
      node(parameter.type);
      out_ += ' ';
      node(parameter.default_value);
      out_ += ')';
    }
    out_ += ") ";
    node(lambda.return_type);
    out_ += ' ';
    node(lambda.body);
    out_ += ')';
  }

  void node(const Expression& expression) {
    switch (expression.node) {
      case Node::literal:
        return literal(as<Literal>(expression).value);
      case Node::word:
        if (plain_) return text(as<Word>(expression).value.text());
        out_ += fmt::format("'{}", as<Word>(expression).value.text());
        return;
      case Node::default_word:
        out_ += "default";
        return;
      case Node::type_name:
        out_ += as<TypeName>(expression).name;
        return;
      case Node::variable:
        out_ += fmt::format("${}{}", as<Variable>(expression).is_top ? "::" : "", as<Variable>(expression).name);
        return;
      case Node::interpolation:
        out_ += "(text";
        all(as<Interpolation>(expression).parts);
        out_ += ')';
        return;
      case Node::regex:
        out_ += "/";
        text(as_pattern(as<RegexLiteral>(expression).value)->pattern());
        return;
      case Node::list:
        out_ += "(list";
        all(as<List>(expression).items);
        out_ += ')';
        return;
      case Node::hash:
        out_ += "(hash";
        for (const HashEntry& entry : as<Hash>(expression).entries) {
          out_ += ' ';
          form("=>", {entry.key, entry.value});
        }
        out_ += ')';
        return;
      case Node::access:
        out_ += "(at ";
        node(*as<Access>(expression).target);
        all(as<Access>(expression).keys);
        out_ += ')';
        return;
      case Node::call: {
        const Call& call = as<Call>(expression);
        out_ += fmt::format("({} {}", call.is_method ? "method" : "call", call.name);
        all(call.arguments);
        if (call.lambda != nullptr) {
          out_ += ' ';
          lambda(*call.lambda);
        }
        out_ += ')';
        return;
      }
      case Node::unary: {
        static constexpr std::string_view kSigns[] = {"-", "!", "*"};
        return form(kSigns[static_cast<std::size_t>(as<Unary>(expression).operation)], {as<Unary>(expression).operand});
      }
      case Node::binary:
        return form(sign(as<Binary>(expression).operation),
                    {as<Binary>(expression).left, as<Binary>(expression).right});
      case Node::assignment:
        return form("=", {as<Assignment>(expression).target, as<Assignment>(expression).value});
      case Node::if_: {
        const If& choice = as<If>(expression);
        return form(choice.is_negated ? "unless" : "if", {choice.condition, choice.then, otherwise(choice)});
      }
      case Node::case_:
        out_ += "(case ";
        node(*as<Case>(expression).subject);
        for (const CaseOption& option : as<Case>(expression).options) {
          out_ += " ((values";
          all(option.values);
          out_ += ") ";
          node(*option.body);
          out_ += ')';
        }
        out_ += ')';
        return;
      case Node::selector:
        out_ += "(? ";
        node(*as<Selector>(expression).subject);
        for (const SelectorOption& option : as<Selector>(expression).options) {
          out_ += ' ';
          form("=>", {option.key, option.value});
        }
        out_ += ')';
        return;
      case Node::block:
        out_ += "(do";
        all(as<Block>(expression).statements);
        out_ += ')';
        return;
      case Node::lambda:
        return lambda(as<Lambda>(expression));
      case Node::query: {
        const Query& query = as<Query>(expression);
        out_ += fmt::format("({}?? ", query.type);
        if (query.condition != nullptr) condition(*query.condition);
        out_ += ')';
        return;
      }
    }
  }

  void condition(const Condition& condition) {
    static constexpr std::string_view kKinds[] = {"and", "or", "not"};
    static constexpr std::string_view kComparisons[] = {"==", "!=", "<", ">", "<=", ">=", "=~", "!~"};
    if (condition.kind == Condition::Kind::compare) {
      out_ += fmt::format("({} {} ", kComparisons[static_cast<std::size_t>(condition.comparison)], condition.field);
      node(*condition.operand);
      out_ += ')';
      return;
    }
    out_ += fmt::format("({}", kKinds[static_cast<std::size_t>(condition.kind)]);
    for (const Condition* part : condition.parts) {
      out_ += ' ';
      this->condition(*part);
    }
    out_ += ')';
  }

  std::string out_;
  bool plain_ = false;
};

}  // namespace strata::puppet::testing
