// SPDX-License-Identifier: Apache-2.0
// The grammar of bindings documents, over the tokens and expressions of the Puppet language.
#pragma once

#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "bindings/model.hpp"
#include "puppet/language/parser.hpp"

namespace strata::bindings {

/// Parses one document. Errors of statements are collected: parsing continues at the next statement.
class DocumentParser {
 public:
  DocumentParser(const Sources& sources, SourceId source, puppet::SyntaxTree& tree, const Limits& limits)
      : file_(sources.file(source)), parser_(sources, source, tree, limits), tree_(tree) {
    parser_.set_words_before_operands(kWordsBeforeProducers);
  }
  /// The statements of `document`, its name and origin.
  void read(Document& document, std::string_view expected_name, Problems& errors);

 private:
  using Token = puppet::Token;
  using Grammar = puppet::Grammar;

  static constexpr std::array<std::string_view, 4> kWordsBeforeProducers{"to", "TO", "optional", "OPTIONAL"};

  /// `abstract` and `override`.
  struct Modifiers {
    Token abstract{};
    Token override_{};
  };
  /// The clauses after the key.
  struct Clauses {
    Token as{};
    Token in{};
    Token to{};
    Token options{};
  };

  void name(Document& document, std::string_view expected_name);
  void entries();
  void entry();
  // conditions.cpp
  void when();
  const Guard* disjunction();
  const Guard* conjunction();
  const Guard* predicate();
  const Expression* category_value();
  const Guard* join(Guard::Kind kind, std::span<const Guard* const> parts);
  // statements.cpp
  void bind();
  void plain(Statement& statement);
  void parameters(Statement& statement);
  void variables(Statement& statement);
  void map(Statement& statement);
  void alias(Statement& statement);
  void dependency(Statement& statement);
  void multibind();
  void rebind();
  void classes();
  void clauses(Statement& statement, Clauses& found);
  // parts.cpp
  void modifiers(Modifiers& modifiers);
  void apply(const Modifiers& modifiers, Statement& statement) const;
  Key key();
  [[nodiscard]] bool at_key();
  TypeReference type_reference(bool bare_names);
  TypeReference class_reference(const Token& keyword);
  std::span<const TypeReference> references();
  Producer producer();
  std::span<const Option> options();
  const Expression* class_name();
  const Expression* name_list();
  // checks.cpp: 6.1
  void check_plain(const Statement& statement, const Clauses& clauses) const;
  void check_multibind(const Statement& statement, const Clauses& clauses) const;
  void check_variables(const Statement& statement) const;
  [[nodiscard]] static bool produces_undef(const Statement& statement) noexcept;
  void require_value(const Statement& statement, std::string_view what) const;
  void refuse(const Token& token, std::string_view what, std::string_view hint = {}) const;
  [[nodiscard]] std::string subject(const Statement& statement) const;

  void add(const Statement& statement);
  [[nodiscard]] Error wrong(Origin origin, std::string message) const {
    return parser_.error(origin, std::move(message), "bindings.form");
  }

  std::string file_;
  puppet::Parser parser_;
  puppet::SyntaxTree& tree_;
  Document* document_ = nullptr;
  const When* when_ = nullptr;
  std::vector<const Guard*> guards_;
  std::vector<Option> options_;
  std::vector<TypeReference> references_;
  std::vector<Edge> edges_;
  std::vector<const Expression*> names_;
};

}  // namespace strata::bindings
