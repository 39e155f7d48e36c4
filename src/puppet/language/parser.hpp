// SPDX-License-Identifier: Apache-2.0
// The expression grammar. Other grammars (environments.pp, site.pp, bindings documents) are parsers over the same
// tokens that call `expression`.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "puppet/language/ast.hpp"
#include "puppet/language/lexer.hpp"
#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "value/problems.hpp"

namespace strata::puppet {

/// Which parts of the language are enabled at a place.
struct Grammar {
  bool in_ends = false;  ///< `in` is not an operator outside brackets: it ends the expression.
  bool queries = false;  ///< `Sql[?? …]` and `?? …` are expressions.
  bool classes = false;  ///< `class ntp` is an expression: the type Class[ntp].
};

/// Parses the tokens of one text into nodes. Throws Error `puppet.syntax` at the first error, unless errors are
/// collected (`gather`). Recursion is bounded (`limit.depth`).
class Parser {
 public:
  /// All must outlive the parser. `tree` and `sources` must outlive the nodes. Errors: `limit.input`, `puppet.syntax`
  /// (not UTF-8).
  Parser(const Sources& sources, SourceId source, SyntaxTree& tree, const Limits& limits);

  // Tokens, for grammars built on this one. docs: lexer.hpp.
  [[nodiscard]] const Token& peek() {
    if (ahead_count_ == 0) read_ahead();
    return ahead_[0].token;
  }
  /// The one behind it.
  [[nodiscard]] const Token& peek_second() {
    while (ahead_count_ < 2) read_ahead();
    return ahead_[1].token;
  }
  Token next();
  /// Consumes the token if it is this mark or keyword.
  bool accept(TokenKind kind);
  /// Consumes it or throws `expected ',' or '}' …, found …`. `expected`: what is allowed there, for the message; empty:
  /// the kind.
  Token expect(TokenKind kind, std::string_view expected = {});
  /// The bracket that closes `opening`. The message shows both.
  Token close(TokenKind kind, const Token& opening, std::string_view expected);
  /// `expected WHAT, found TOKEN`, at the next token.
  [[nodiscard]] Error unexpected(std::string_view expected);
  /// The keyword that a name was probably meant to be. Empty: none.
  [[nodiscard]] static std::string_view near_keyword(std::string_view name);
  [[nodiscard]] Error error(Origin origin, std::string message, std::string_view code = "puppet.syntax") const;
  [[nodiscard]] bool at_end() { return peek().kind == TokenKind::end; }
  /// Lexer::set_words_before_operands. Call it before the first token is read.
  void set_words_before_operands(std::span<const std::string_view> words) noexcept {
    lexer_.set_words_before_operands(words);
  }
  [[nodiscard]] Origin origin(const Token& token) const { return lexer_.origin(token.offset); }
  /// Whether a bracket is an index (`a[`), not the beginning of a list.
  [[nodiscard]] bool at_list();

  /// One expression of any precedence, including assignments.
  [[nodiscard]] const Expression* expression(Grammar grammar = {});
  /// The same without assignments.
  [[nodiscard]] const Expression* value(Grammar grammar = {});
  /// A name, text, variable or the like, with its `[…]` and `.…`, without operators: `Foo[1]`.
  [[nodiscard]] const Expression* operand(Grammar grammar = {});
  /// `|$a, $b| { … }`.
  [[nodiscard]] const Lambda* lambda();
  /// `{` statements `}`.
  [[nodiscard]] const Block* block();
  /// Statements up to the end of the text. Errors go to `errors`, and parsing continues at the next statement.
  [[nodiscard]] const Block* program(Problems& errors);
  /// One statement: an expression, or a call without parentheses (`notice 'x'`).
  [[nodiscard]] const Expression* statement();
  /// Rejects a statement without effect that others follow: `1`, `$a == $b`.
  void require_effect(const Expression& statement) const;

  /// From now on, errors in statements are collected there, and parsing continues at the next statement. Null: errors
  /// are thrown.
  void gather(Problems* errors) noexcept { errors_ = errors; }
  /// Collects an error. False if errors are not collected, or if it is a limit, after which nothing is parsed. Throws
  /// Errors when there are too many.
  bool keep(const Error& error);
  /// The errors collected so far.
  [[nodiscard]] std::size_t error_count() const noexcept { return errors_ == nullptr ? 0 : errors_->all().size(); }
  /// Parses one of several items. If errors are collected, keeps one and skips to where the next item may begin.
  template <class Read>
  void attempt(Read read) {
    const std::size_t nesting = nesting_;
    const std::size_t begin = taken_;
    try {
      read();
    } catch (const Error& error) {
      if (!keep(error)) throw;
      if (taken_ == begin && !at_closing()) skip();
      recover(nesting);
    }
  }

  // Nodes, for grammars built on this one.
  /// Makes a node and sets its height from its parts. Errors: `limit.depth`.
  template <class T>
  [[nodiscard]] const T* make(T node, std::size_t height_below) {
    node.height = checked_height(height_below + 1, node.origin);
    return tree_.make(std::move(node));
  }
  [[nodiscard]] static std::size_t height(const Expression* node) noexcept {
    return node == nullptr ? 0 : node->height;
  }
  [[nodiscard]] static std::size_t height(std::span<const Expression* const> nodes) noexcept {
    std::size_t most = 0;
    for (const Expression* node : nodes) most = std::max(most, height(node));
    return most;
  }
  /// The text of a token, as a Literal.
  [[nodiscard]] const Literal* literal(const Token& token, const Value& value);
  [[nodiscard]] const Word* word(const Token& token);
  /// The next token as a text, with or without interpolation.
  [[nodiscard]] const Expression* text();

  [[nodiscard]] SyntaxTree& tree() noexcept { return tree_; }
  [[nodiscard]] const Sources& sources() const noexcept { return sources_; }

  /// Items collected on a stack of their kind, so that lists need no allocation each.
  template <class T>
  class Gathered {
   public:
    explicit Gathered(std::vector<T>& stack) : stack_(stack), base_(stack.size()) {}
    ~Gathered() { clear(); }
    Gathered(const Gathered&) = delete;
    Gathered& operator=(const Gathered&) = delete;
    void add(T item) { stack_.push_back(item); }
    void clear() { stack_.erase(stack_.begin() + static_cast<std::ptrdiff_t>(base_), stack_.end()); }
    [[nodiscard]] std::span<const T> items() const noexcept { return {stack_.data() + base_, stack_.size() - base_}; }

   private:
    std::vector<T>& stack_;
    std::size_t base_;
  };

 private:
  struct Ahead {
    Token token;
    std::size_t nesting = 0;  ///< After it.
  };
  /// One level of recursion.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) { parser.enter(); }
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser& parser_;
  };
  /// The parts of the language that are enabled inside brackets.
  class Inside {
   public:
    explicit Inside(Parser& parser) : Inside(parser, {false, parser.grammar_.queries, parser.grammar_.classes}) {}
    Inside(Parser& parser, Grammar grammar) : parser_(parser), outer_(std::exchange(parser.grammar_, grammar)) {}
    ~Inside() { parser_.grammar_ = outer_; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    Parser& parser_;
    Grammar outer_;
  };

  void read_ahead();
  void enter();
  [[nodiscard]] std::uint16_t checked_height(std::size_t height, Origin origin) const;
  [[nodiscard]] bool at_closing();
  void skip();
  void recover(std::size_t nesting);
  [[nodiscard]] static Expression base(Node node, Origin origin) noexcept { return {node, false, origin, 1}; }

  // expressions.cpp
  const Expression* assignment();
  const Expression* binary(int lowest);
  const Expression* operation() { return binary(0); }
  const Expression* unary();
  const Expression* selector(const Expression* subject);
  const Expression* postfix(const Expression* target);
  const Expression* access(const Expression* target);
  const Expression* method(const Expression* receiver);
  const Expression* call(const Expression* callee);
  void arguments(Gathered<const Expression*>& arguments);
  void check_target(const Expression& target) const;
  // operands.cpp
  const Expression* primary();
  const Expression* parentheses();
  const Expression* class_type();
  const Expression* list();
  const Expression* hash();
  /// A key, a value or an item: an expression, or one of the words `type` and `function`, which are plain words there.
  const Expression* member();
  [[nodiscard]] bool at_bare_keyword();
  using Reader = const Expression* (Parser::*)();
  /// The items between brackets. Adjacent pairs `a => 1` are one hash.
  void items(Gathered<const Expression*>& items, TokenKind closing, Reader one);
  const Expression* variable();
  const Expression* regex();
  const Expression* interpolation();
  const Expression* interpolated();
  const Expression* if_or_unless();
  const Expression* case_expression();
  CaseOption case_option(std::size_t& below);
  // statements.cpp
  std::span<const Expression* const> statements(TokenKind end);
  const Expression* statement_call();
  [[nodiscard]] bool at_statement_call();
  LambdaParameter parameter(std::size_t& below);
  // queries.cpp
  const Expression* query(const Expression* type);
  const Condition* condition();
  const Condition* conjunction();
  const Condition* negation();
  const Condition* comparison();
  Condition::Comparison comparison_operator();
  const Expression* comparison_operand();
  [[nodiscard]] bool at_query_word(std::string_view word, TokenKind kind);
  const Condition* join(Condition::Kind kind, std::span<const Condition* const> parts, Origin origin);

  const Sources& sources_;
  SyntaxTree& tree_;
  const Limits& limits_;
  Lexer lexer_;
  std::array<Ahead, 2> ahead_;
  std::size_t ahead_count_ = 0;
  std::size_t nesting_ = 0;  ///< After the last token consumed.
  std::size_t taken_ = 0;    ///< Tokens.
  std::size_t depth_ = 0;
  Token previous_;
  bool is_interpolated_name_ = false;  ///< The next name is a variable.
  Grammar grammar_;
  std::size_t condition_height_ = 0;  ///< Of the operands of the current query.
  Problems* errors_ = nullptr;
  std::vector<const Expression*> expressions_;
  std::vector<HashEntry> entries_;
  std::vector<SelectorOption> selector_options_;
  std::vector<CaseOption> case_options_;
  std::vector<LambdaParameter> parameters_;
  std::vector<const Condition*> conditions_;
  /// Compiled patterns: equal patterns are compiled once.
  std::vector<std::pair<std::string_view, Value>> patterns_;
  std::size_t compiled_ = 0;  ///< Patterns.
};

}  // namespace strata::puppet
