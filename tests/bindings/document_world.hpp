// SPDX-License-Identifier: Apache-2.0
// Bindings documents, read and printed.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "bindings/syntax/document.hpp"
#include "puppet/tree_printer.hpp"

namespace strata::bindings::testing {

/// Writes statements as s-expressions, each with the conditions that it stands under.
class StatementPrinter {
 public:
  static std::string print(const Document& document) {
    std::string out;
    for (const Statement& statement : document.statements) {
      if (!out.empty()) out += '\n';
      out += print(statement);
    }
    return out;
  }

 private:
  static std::string print(const Expression* expression) {
    return expression == nullptr ? "()" : puppet::testing::TreePrinter::print(*expression);
  }

  static std::string print(const TypeReference& type) {
    return (type.is_class_name ? "class " : "") + print(type.expression);
  }

  static std::string print(const Key& key) {
    if (!key.type) return print(key.name);
    return key.name == nullptr ? "<" + print(key.type) + ">" : "<" + print(key.type) + ">" + print(key.name);
  }

  static std::string print(const Guard& guard) {
    switch (guard.kind) {
      case Guard::Kind::always:
        return "common";
      case Guard::Kind::is:
        return std::string(guard.predicate.category) + "=" + print(guard.predicate.value);
      case Guard::Kind::all:
      case Guard::Kind::any:
        break;
    }
    std::string out = guard.kind == Guard::Kind::all ? "(and" : "(or";
    for (const Guard* part : guard.parts) out += " " + print(*part);
    return out + ")";
  }

  static std::string print(const When* when) {
    return when == nullptr ? "" : print(when->outer) + "[" + print(*when->guard) + "] ";
  }

  static std::string print(const Statement& statement) {
    static constexpr std::string_view kForms[] = {"bind",  "multibind", "rebind",     "parameters", "variables", "map",
                                                  "alias", "renamed",   "dependency", "include",    "exclude"};
    std::string out = print(statement.when) + std::string(kForms[static_cast<std::size_t>(statement.form)]);
    if (statement.is_abstract) out += " abstract";
    if (statement.is_override) out += " override";
    if (statement.key.type || statement.key.name != nullptr) out += " " + print(statement.key);
    if (statement.target.type || statement.target.name != nullptr) out += " target " + print(statement.target);
    if (statement.id != nullptr) out += " id " + print(statement.id);
    const Producer& producer = statement.producer;
    if (producer.kind != Producer::Kind::none) {
      out += producer.kind == Producer::Kind::named ? " producer " : " to ";
      out += std::string(producer.is_optional ? "optional " : "") + (producer.is_class_name ? "class " : "") +
             print(producer.expression);
    }
    for (const Option& option : statement.options)
      out += " {" + std::string(option.name) + " => " + print(option.value) + "}";
    for (const Edge& edge : statement.edges) {
      out += " (";
      for (const TypeReference& source : edge.sources) out += print(source) + " ";
      out += edge.notifies ? "~>" : "->";
      for (const TypeReference& target : edge.targets) out += " " + print(target);
      out += ")";
    }
    for (const Expression* name : statement.names) out += " " + print(name);
    return out;
  }
};

/// The statements of a document, a line each; or its errors, a line each: `line:column: message`, for those of form
/// with `form` in front.
inline std::string read(std::string_view text, std::string_view expected_name = {}) {
  Sources sources;
  try {
    return StatementPrinter::print(
        *read_document(sources, sources.add("default.pp", std::string(text)), expected_name, {}));
  } catch (const Errors& errors) {
    std::string out;
    for (const Diagnostic& error : errors.all()) {
      const Place& place = error.where.place;
      out += (out.empty() ? "" : "\n") + std::to_string(place.line.value_or(0)) + ":" +
             std::to_string(place.column.value_or(0)) + ": " + error.message;
    }
    return out;
  }
}

/// The same of statements, without the braces around them.
inline std::string statements(std::string_view text) {
  return read("bindings default {\n" + std::string(text) + "\n}\n");
}

/// The first error of statements, with its hint.
inline std::string told(std::string_view text) {
  Sources sources;
  try {
    static_cast<void>(read_document(
        sources, sources.add("default.pp", "bindings default {\n" + std::string(text) + "\n}\n"), "default", {}));
  } catch (const Error& error) {
    return std::string(error.what()) + (error.diagnostic().hint.empty() ? "" : " | " + error.diagnostic().hint);
  }
  return "";
}

}  // namespace strata::bindings::testing
