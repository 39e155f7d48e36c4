// Evaluates expressions of the Puppet language. Rule: bindings 15, and Puppet 7 as it was run.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "puppet/language/ast.hpp"
#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/value.hpp"

namespace strata::puppet {

class Evaluator;

/// Variables that nobody assigned in the program: facts, bound variables. Asked once a name is not found in the scopes.
class Variables {
 public:
  virtual ~Variables() = default;
  /// The value of `name` (without `$` and a leading `::`); absent where there is none.
  [[nodiscard]] virtual Value find(std::string_view name, Evaluator& evaluator) = 0;
};

/// Variables in a frame over those of another one. Blocks of `if`, `case` and `unless` share the frame, lambdas have their own.
class Scope {
 public:
  /// `outer` may be null; it must outlive this one. `others`: asked where no frame knows a name; may be null.
  explicit Scope(const Scope* outer, Variables* others = nullptr);
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  /// Null pointer where neither this frame nor an outer one has it.
  [[nodiscard]] const Value* find(std::string_view name) const;
  /// False where this frame has it already.
  bool assign(std::string_view name, const Value& value, Origin origin);
  /// Where it was assigned in this frame.
  [[nodiscard]] Origin assigned_at(std::string_view name) const;
  // More is the owner's: match groups `$0`..., slots, iteration over the names.
};

/// A call of a function, with its arguments evaluated.
struct FunctionCall {
  std::string_view name;
  std::span<const Value> arguments;
  const Lambda* lambda = nullptr;
  Scope* scope = nullptr;  ///< Of the caller; lambdas are called with it.
  Origin origin;           ///< Of the call's name.
};

/// Functions beyond the built-in ones: `inject`, `first_found`, `lookup`, those of extensions.
class Functions {
 public:
  virtual ~Functions() = default;
  /// Whether there is one of this name.
  [[nodiscard]] virtual bool knows(std::string_view name) const = 0;
  [[nodiscard]] virtual Value call(const FunctionCall& call, Evaluator& evaluator) = 0;
  /// Names, for near names in errors.
  [[nodiscard]] virtual std::vector<std::string> names() const { return {}; }
};

/// Answers `Sql[?? …]`. Where there is none, a query is the error `puppet.unsupported`.
class Queries {
 public:
  virtual ~Queries() = default;
  [[nodiscard]] virtual Value answer(const Query& query, Scope& scope, Evaluator& evaluator) = 0;
};

/// What an evaluation may use. All must outlive the Evaluator.
struct EvaluatorContext {
  const Sources& sources;
  Arena& arena;  ///< Results are made here, or shared with literals and variables.
  const Limits& limits;
  Diagnostics& diagnostics;        ///< Warnings: unknown variables, texts used as numbers, `notice` and `warning`.
  bool strict = false;             ///< Unknown variables and repeated keys of a hash literal are errors.
  Functions* functions = nullptr;  ///< Null: the built-in ones only.
  Queries* queries = nullptr;
  /// Reads `MODULE/PATH` for `file(…)`; null: there are no files.
  std::function<std::optional<std::string>(std::string_view)> module_file = {};
};

/// Evaluates. Bounded by Limits: `steps` (each node, each item that a function makes), `depth` of calls, `result` for nodes of one value; more is an
/// Error `limit.*`. Not thread-safe; cheap to make. Errors: `puppet.*` with the place of the expression.
class Evaluator {
 public:
  explicit Evaluator(EvaluatorContext context);
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  /// What it computes carries the origin of the expression; what it only passes on (variables, members, literals) keeps its own.
  [[nodiscard]] Value evaluate(const Expression& expression, Scope& scope);
  /// Calls a lambda with arguments: types are checked, defaults evaluated. `outer`: the scope that it was written in.
  [[nodiscard]] Value call(const Lambda& lambda, std::span<const Value> arguments, Scope& outer);
  [[nodiscard]] EvaluatorContext& context() noexcept;
  /// Takes steps from the budget.
  void charge(std::size_t steps);
  /// A fresh budget of steps, for the next request.
  void refill();
};

}  // namespace strata::puppet
