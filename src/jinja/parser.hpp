// SPDX-License-Identifier: Apache-2.0
// Parses tokens into statements.
#pragma once

#include "jinja/ast.hpp"
#include "jinja/lexer.hpp"

namespace strata::jinja {

/// Parses a template. Errors: `jinja.syntax`, `jinja.unsupported`.
[[nodiscard]] Body parse(const TemplateText& text);

/// Sets a value while it exists.
template <typename Value>
class Scoped {
 public:
  Scoped(Value& place, Value value) : place_(place), before_(place) { place_ = value; }
  ~Scoped() { place_ = before_; }
  Scoped(const Scoped&) = delete;
  Scoped& operator=(const Scoped&) = delete;

 private:
  Value& place_;
  Value before_;
};

/// The position in a token list, and functions shared by expressions and statements.
class Parser {
 public:
  explicit Parser(const TemplateText& source) : source_(source), tokens_(tokenize(source)) {}

  // parser.cpp
  [[nodiscard]] Body parse_template();

 private:
  [[nodiscard]] const Token& current() const noexcept { return tokens_[at_]; }
  [[nodiscard]] const Token& next() const noexcept { return tokens_[at_ + 1 < tokens_.size() ? at_ + 1 : at_]; }
  const Token& take() noexcept { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
  bool skip_name(std::string_view name);
  bool skip_symbol(std::string_view symbol);
  void expect_symbol(std::string_view symbol);
  void expect_name(std::string_view name);
  void expect(TokenKind kind, std::string_view what);
  [[nodiscard]] std::string expect_identifier();
  [[noreturn]] void fail(std::string message) const;
  [[noreturn]] void fail_at(std::uint32_t at, std::string message, std::string_view code = "jinja.syntax") const;
  [[noreturn]] void fail_expected(std::string_view what) const;

  // expression_parser.cpp
  struct TupleRules {
    bool conditional = true;      ///< `a if b else c` is allowed.
    bool in_parentheses = false;  ///< It may be empty.
  };
  ExpressionPtr parse_expression(bool conditional = true);
  ExpressionPtr parse_tuple(const TupleRules& rules);
  ExpressionPtr parse_conditional();
  ExpressionPtr parse_or();
  ExpressionPtr parse_and();
  ExpressionPtr parse_not();
  ExpressionPtr parse_comparison();
  ExpressionPtr parse_sum();
  ExpressionPtr parse_concatenation();
  ExpressionPtr parse_product();
  ExpressionPtr parse_power();
  ExpressionPtr parse_unary(bool with_filter = true);
  ExpressionPtr parse_primary();
  ExpressionPtr parse_name();
  ExpressionPtr parse_list();
  ExpressionPtr parse_dict();
  ExpressionPtr parse_postfix(ExpressionPtr node);
  ExpressionPtr parse_filters_and_tests(ExpressionPtr node);
  ExpressionPtr parse_subscript(ExpressionPtr node);
  ExpressionPtr parse_slice(ExpressionPtr node, std::uint32_t at);
  ExpressionPtr parse_call(ExpressionPtr node);
  ExpressionPtr parse_filter(ExpressionPtr node);  ///< The current token is the filter's name.
  ExpressionPtr parse_test(ExpressionPtr node);
  CallArguments parse_arguments(Expression& owner);
  std::string parse_dotted_name();
  ExpressionPtr make(Expression::Kind kind, std::uint32_t at) const;
  ExpressionPtr make(Expression::Kind kind, std::uint32_t at, ExpressionPtr first,
                     ExpressionPtr second = nullptr) const;
  void adopt(Expression& owner, ExpressionPtr child) const;
  void deepen(Expression& owner, const Expression* child) const;

  // parser.cpp
  Body parse_body(std::initializer_list<std::string_view> ends);
  Body parse_block(std::initializer_list<std::string_view> ends);
  Statement parse_statement();
  Statement parse_for(std::uint32_t at);
  Statement parse_if(std::uint32_t at);
  Statement parse_set(std::uint32_t at);
  Statement parse_with(std::uint32_t at);
  Statement parse_filter_block(std::uint32_t at);
  Statement parse_macro(std::uint32_t at);
  Statement parse_call_block(std::uint32_t at);
  Statement parse_print(std::uint32_t at);
  std::vector<Parameter> parse_parameters();
  Target parse_target();
  Target parse_single_target();
  Target parse_target_name();

  /// Names that a macro's body uses.
  struct MacroNames {
    bool varargs = false, kwargs = false, caller = false;
  };
  void fill_macro(Statement& macro, std::initializer_list<std::string_view> ends);

  const TemplateText& source_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::size_t nesting_ = 0;       ///< For expressions and blocks being parsed.
  std::size_t loops_ = 0;         ///< Open `for` blocks.
  bool unknown_is_soft_ = false;  ///< In code that may never run, an unknown filter is an error only when it runs.
  struct Unknown {
    std::uint32_t at;
    std::string message;
  };
  std::vector<Unknown> unknown_;  ///< Unknown filters and tests.
  std::vector<MacroNames> macros_;
};

}  // namespace strata::jinja
