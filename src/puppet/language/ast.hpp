// SPDX-License-Identifier: Apache-2.0
// The syntax tree of a Puppet text: expressions with origins. Nodes live in a SyntaxTree and never change.
#pragma once

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "strata/value.hpp"

namespace strata::text {
class Regex;
}

namespace strata::puppet {

enum class Node : std::uint8_t {
  literal,
  word,
  default_word,
  type_name,
  variable,
  interpolation,
  regex,
  list,
  hash,
  access,
  call,
  unary,
  binary,
  assignment,
  if_,
  case_,
  selector,
  block,
  lambda,
  query,
};

/// Any node. `node` says which of the structs below it is; `as` converts to it.
struct Expression {
  Node node;
  bool in_parentheses = false;
  Origin origin;             ///< Its first character, without enclosing parentheses.
  std::uint16_t height = 1;  ///< Levels of nodes, including this one: at most Limits::depth, so that recursion is safe.
};

/// A text, number, boolean or undef (null). The Value has the origin.
struct Literal : Expression {
  Value value;
};

/// A bare word: `one`, `ntp::server`. The Value is the text.
struct Word : Expression {
  Value value;
};

struct DefaultWord : Expression {};

/// `Integer`, `Foo::Bar`: as written, without a leading `::`.
struct TypeName : Expression {
  std::string_view name;
};

/// `$a::b`; `$1`. Without `$` and a leading `::`.
struct Variable : Expression {
  std::string_view name;
  bool is_top = false;  ///< Written with a leading `::`.
};

/// A text in double quotes, or a heredoc, with expressions. Parts are Literals of text, and expressions.
struct Interpolation : Expression {
  std::span<const Expression* const> parts;
  std::string_view syntax{};  ///< heredoc: `json`; the required syntax of the text. Empty: any.
};

struct RegexLiteral : Expression {
  Value value;  ///< An object (puppet/evaluation/pattern_object.hpp), compiled once during parsing.
};

struct List : Expression {
  std::span<const Expression* const> items;  ///< May contain `*splat`.
};

struct HashEntry {
  const Expression* key;
  const Expression* value;
};

struct Hash : Expression {
  std::span<const HashEntry> entries;
};

struct Access : Expression {
  const Expression* target;
  std::span<const Expression* const> keys;
};

struct Block;

struct LambdaParameter {
  std::string_view name;
  const Expression* type = nullptr;           ///< Null: Any.
  const Expression* default_value = nullptr;  ///< Null: it is required.
  bool takes_rest = false;                    ///< `*$rest`.
  Origin origin;
};

struct Lambda : Expression {
  std::span<const LambdaParameter> parameters;
  const Expression* return_type = nullptr;
  const Block* body;
};

/// `f(x)`, `x.f(y)` (the receiver is the first argument), and `Type(x)` (`new` with the type as the first argument).
struct Call : Expression {
  std::string_view name;
  std::span<const Expression* const> arguments;
  const Lambda* lambda = nullptr;
  bool is_method = false;
  Origin name_origin;
};

enum class UnaryOperator : std::uint8_t { negate, not_, splat };

struct Unary : Expression {
  UnaryOperator operation;
  const Expression* operand;
};

enum class BinaryOperator : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  modulo,
  shift_left,
  shift_right,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  match,
  not_match,
  in,
  and_,
  or_,
};

struct Binary : Expression {
  BinaryOperator operation;
  const Expression* left;
  const Expression* right;
  Origin sign;  ///< The operator.
};

/// `$a = x`, `[$a, $b] = x`.
struct Assignment : Expression {
  const Expression* target;  ///< A Variable, or a nested List of Variables.
  const Expression* value;
};

/// `if`, `elsif` (nested in `otherwise`) and `unless` (`is_negated`).
struct If : Expression {
  bool is_negated = false;
  const Expression* condition;
  const Block* then;
  const Expression* otherwise = nullptr;  ///< A Block or an If. Null if there is none.
};

struct CaseOption {
  std::span<const Expression* const> values;
  const Block* body;
};

struct Case : Expression {
  const Expression* subject;
  std::span<const CaseOption> options;
};

struct SelectorOption {
  const Expression* key;
  const Expression* value;
};

struct Selector : Expression {
  const Expression* subject;
  std::span<const SelectorOption> options;
};

/// Statements. The value is that of the last one, or undef.
struct Block : Expression {
  std::span<const Expression* const> statements;
};

/// A condition of a query.
struct Condition {
  enum class Kind : std::uint8_t { and_, or_, not_, compare };
  enum class Comparison : std::uint8_t { equal, not_equal, less, greater, less_equal, greater_equal, match, not_match };
  Kind kind = Kind::compare;
  std::span<const Condition* const> parts;  ///< For and, or, not.
  std::string_view field;                   ///< As written, including `parameter.`, without blanks.
  Comparison comparison = Comparison::equal;
  const Expression* operand = nullptr;
  Origin origin;
};

/// `Sql[?? size > 5]`. `?? …` alone selects from all types. Only in grammars with queries.
struct Query : Expression {
  std::string_view type;                 ///< As written; empty: all.
  const Condition* condition = nullptr;  ///< Null: all resources.
};

/// Converts a node to its struct. The caller has checked `node`.
template <class T>
[[nodiscard]] const T& as(const Expression& expression) noexcept {
  return static_cast<const T&>(expression);
}

/// Owns the nodes of one parsed text, and their values. Addresses are stable. Immutable after parsing; several threads
/// may read it.
class SyntaxTree {
 public:
  explicit SyntaxTree(std::size_t expected) : memory_(expected), arena_(std::make_shared<Arena>()) {}
  SyntaxTree(const SyntaxTree&) = delete;
  SyntaxTree& operator=(const SyntaxTree&) = delete;
  ~SyntaxTree() = default;

  /// Makes a node. Destructors never run: nodes only contain views and addresses.
  template <class T>
  [[nodiscard]] T* make(T node) {
    static_assert(std::is_trivially_destructible_v<T>);
    return ::new (memory_.allocate(sizeof(T), alignof(T))) T(std::move(node));
  }
  template <class T>
  [[nodiscard]] std::span<const T> keep(std::span<const T> items) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (items.empty()) return {};
    T* kept = static_cast<T*>(memory_.allocate(items.size_bytes(), alignof(T)));
    std::uninitialized_copy(items.begin(), items.end(), kept);
    return {kept, items.size()};
  }
  [[nodiscard]] std::string_view keep(std::string_view text) {
    const auto kept = keep(std::span<const char>(text.data(), text.size()));
    return {kept.data(), kept.size()};
  }
  [[nodiscard]] Arena& arena() noexcept { return *arena_; }
  [[nodiscard]] const std::shared_ptr<Arena>& shared_arena() const noexcept { return arena_; }

 private:
  std::pmr::monotonic_buffer_resource memory_;
  std::shared_ptr<Arena> arena_;
};

}  // namespace strata::puppet
