// The grammar of expressions. Other grammars (environments.pp, site.pp, bindings documents) are parsers over the same tokens that call `expression`.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "puppet/language/ast.hpp"
#include "puppet/language/lexer.hpp"
#include "strata/error.hpp"
#include "strata/limits.hpp"

namespace strata::puppet {

/// What of the language is read at one place.
struct Grammar {
  bool in_ends = false;  ///< `in` is no operator outside of brackets: it ends the expression (bindings D-12).
  bool queries = false;  ///< `Sql[?? …]` and `?? …` are expressions (bindings 16.1).
};

/// What is wrong with a text, gathered, so that several errors are reported in one run. At most 20.
class SyntaxErrors {
 public:
  void add(Error error);
  [[nodiscard]] bool empty() const noexcept { return all_.empty(); }
  [[nodiscard]] bool is_full() const noexcept;
  [[nodiscard]] const std::vector<Diagnostic>& all() const noexcept { return all_; }
  /// Throws Errors where there are any.
  void raise() const;

 private:
  std::vector<Diagnostic> all_;
};

/// Reads tokens of one text and makes nodes of them. Throws Error `puppet.syntax` at the first thing that is wrong; who reads statements catches it,
/// keeps it in SyntaxErrors and goes on behind it (`recover`).
class Parser {
 public:
  /// All must outlive the parser; `tree` and `sources` must outlive the nodes. Errors: `limit.input`, `puppet.syntax` (not UTF-8).
  Parser(const Sources& sources, SourceId source, SyntaxTree& tree, const Limits& limits);

  // Tokens, for grammars built on this one. docs: lexer.hpp.
  [[nodiscard]] const Token& peek();
  /// The one behind it.
  [[nodiscard]] const Token& peek_second();
  Token next();
  /// Takes the token if it is this mark or keyword.
  bool accept(TokenKind kind);
  /// Takes it or throws: `expected ',' or '}' …, found …`. `what`: the thing being read, for the message.
  Token expect(TokenKind kind, std::string_view what);
  /// `expected WHAT, found TOKEN`, at the token that is next.
  [[nodiscard]] Error unexpected(std::string_view expected);
  [[nodiscard]] bool at_end();
  [[nodiscard]] Origin origin(const Token& token) const;

  /// One expression, of any precedence, assignments included. Recursion is bounded (`limit.depth`).
  [[nodiscard]] const Expression* expression(Grammar grammar = {});
  /// `{` statements `}`.
  [[nodiscard]] const Block* block();
  /// Statements up to the end of the text; errors go to `errors`, and reading goes on at the next statement.
  [[nodiscard]] const Block* program(SyntaxErrors& errors);
  /// One statement: an expression, or a call without parentheses (`notice 'x'`).
  [[nodiscard]] const Expression* statement();
  /// Skips to where a statement may begin again: the next line at this depth of braces that begins with a token which can start one.
  void recover();

  [[nodiscard]] SyntaxTree& tree() noexcept { return tree_; }
  [[nodiscard]] const Sources& sources() const noexcept { return sources_; }

 private:
  const Sources& sources_;
  SourceId source_;
  SyntaxTree& tree_;
  const Limits& limits_;
};

}  // namespace strata::puppet
