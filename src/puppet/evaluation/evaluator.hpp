// SPDX-License-Identifier: Apache-2.0
// Evaluates expressions of the Puppet language, as observed in Puppet 7.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "puppet/evaluation/scope.hpp"
#include "puppet/language/ast.hpp"
#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/puppet.hpp"
#include "strata/value.hpp"
#include "text/regex/regex.hpp"

namespace strata::puppet {

class BoundLambda;
struct BuiltinEntry;

/// A function call with evaluated arguments.
struct FunctionCall {
  std::string_view name;
  std::span<const Value> arguments;
  const Lambda* lambda = nullptr;
  Scope* scope = nullptr;  ///< Of the caller. Lambdas are called with it (puppet/evaluation/bound_lambda.hpp).
  Origin origin;           ///< The name in the call.
};

/// Functions besides the built-in ones: `inject`, `first_found`, `lookup`, those of extensions. Consulted if no
/// built-in function has the name.
class Functions {
 public:
  virtual ~Functions() = default;
  /// Whether there is a function with this name.
  [[nodiscard]] virtual bool knows(std::string_view name) const = 0;
  [[nodiscard]] virtual Value call(const FunctionCall& call, Evaluator& evaluator) = 0;
  /// Names for suggestions in errors.
  [[nodiscard]] virtual std::vector<std::string> names() const { return {}; }
  /// Whether `argument` must be called for the arguments of a function.
  [[nodiscard]] virtual bool has_own_types(std::string_view /*name*/) const { return false; }
  /// The value of an argument in which types have another meaning than in expressions. Absent: evaluate it normally.
  [[nodiscard]] virtual Value argument(const Expression& /*argument*/, Scope& /*scope*/, Evaluator& /*evaluator*/) {
    return {};
  }
};

/// Answers `Sql[?? …]`. Without it, a query is the error `puppet.unsupported`.
class Queries {
 public:
  virtual ~Queries() = default;
  [[nodiscard]] virtual Value answer(const Query& query, Scope& scope, Evaluator& evaluator) = 0;
};

/// The context of an evaluation. Everything must outlive the Evaluator.
struct EvaluatorContext {
  const Sources& sources;
  Arena& arena;  ///< Results are made here, or shared with literals and variables.
  const Limits& limits;
  Diagnostics& diagnostics;        ///< Warnings: unknown variables, texts used as numbers, `notice` and `warning`.
  bool strict = false;             ///< Unknown variables and duplicate keys in a hash literal are errors.
  Functions* functions = nullptr;  ///< Null: the built-in ones only.
  Queries* queries = nullptr;
  /// Reads `MODULE/PATH` for `file(…)`. Null: there are no files.
  std::function<std::optional<std::string>(std::string_view)> module_file = {};
};

/// How a lambda is left early.
enum class Jump : std::uint8_t { none, next, break_, return_ };

/// Evaluates expressions. The arena must not be cleared while it exists. Limits: `steps` (each node, and each item that
/// a function makes), `depth` of nested expressions and of values, `result` for the nodes of one value, `input` for the
/// bytes of one text; exceeding one is an Error `limit.*`. Not thread-safe; cheap to make. Errors: `puppet.*` with the
/// place of the expression.
class Evaluator {
 public:
  explicit Evaluator(EvaluatorContext context);
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  /// A computed value has the origin of the expression; a value that is passed on (variables, members, literals) keeps
  /// its own. Never absent: `next`, `break` and `return` outside a lambda are the error `puppet.jump`.
  [[nodiscard]] Value evaluate(const Expression& expression, Scope& scope);
  /// Calls a lambda with arguments: checks types, evaluates defaults. `outer`: the scope in which it was written.
  /// `next` gives the result; `break` and `return` are the error `puppet.jump`. Built-in functions use BoundLambda
  /// (puppet/evaluation/bound_lambda.hpp) instead.
  [[nodiscard]] Value call(const Lambda& lambda, std::span<const Value> arguments, Scope& outer);
  /// The same for a lambda that is called many times.
  [[nodiscard]] Value call(BoundLambda& lambda, std::span<const Value> arguments);
  /// Calls a function by name. Absent: a jump is pending.
  [[nodiscard]] Value call(const FunctionCall& call);
  [[nodiscard]] EvaluatorContext& context() noexcept { return context_; }
  [[nodiscard]] const EvaluatorContext& context() const noexcept { return context_; }
  [[nodiscard]] Arena& arena() noexcept { return context_.arena; }

  /// Counts steps. Throws `limit.steps`.
  void charge(std::size_t steps) {
    if (steps > steps_left_) out_of_steps();
    steps_left_ -= steps;
  }
  /// Counts the steps for writing a text of this many bytes. Throws `limit.steps`, `limit.result`.
  void charge_text(std::size_t bytes);
  /// A fresh budget of steps, for the next request.
  void refill() noexcept { steps_left_ = context_.limits.steps; }
  /// Counts the steps for traversing a whole value, as equality, texts, types and keys do. Throws `limit.steps`.
  void charge_value(const Value& value);
  /// The same for finding the type of a value, which makes a type for each node.
  void charge_inferring(const Value& value);
  /// Counts the steps for making a type from another one. Throws `limit.steps`; `limit.result` and `limit.depth` for a
  /// type that is too large.
  void charge_type(const Type& part);
  /// Counts the steps for comparing two types: each part of one may be compared with each part of the other. Throws
  /// `limit.steps`.
  void charge_types(const Type& left, const Type& right);
  /// The first match in a text from `at` on. All searches of an evaluation use it: the engine bounds one search, but
  /// thousands of slow ones would take hours, so a search of a millisecond or more counts one step per microsecond.
  /// Throws `limit.steps`, `limit.regex`.
  [[nodiscard]] std::optional<text::Regex::Match> find(const text::Regex& regex, std::string_view text,
                                                       std::size_t at = 0);
  /// Whether a value is a member of a type; also counts steps. Throws `limit.steps`.
  [[nodiscard]] bool is_member(const Type& type, const Value& value);
  /// Checks a new container against `result` and `depth`, counted as if written out, and returns it. The caller of a
  /// function checks its result. Throws `limit.result`, `limit.depth`.
  const Value& admit(const Value& container);

  // Jumps. While one is pending, every evaluation returns the absent value, which is passed on up to the code that
  // handles the jump.
  /// Begins a jump; returns the absent value. `origin`: the call that jumps.
  Value jump(Jump kind, const Value& value, Origin origin) noexcept {
    jump_ = kind;
    jump_value_ = value;
    jump_origin_ = origin;
    return {};
  }
  /// Ends a pending jump of this kind and returns its value (undef if it has none). Absent if no such jump is pending.
  Value take(Jump kind) noexcept {
    if (jump_ != kind) return {};
    jump_ = Jump::none;
    return jump_value_;
  }

  /// Adds a warning, once per code and place.
  void warn(Origin origin, std::string_view code, std::string message, std::string hint = {});
  /// An error at a place.
  [[nodiscard]] Error error(Origin origin, std::string_view code, std::string message) const;
  /// That somebody assigns such a one.
  [[nodiscard]] Error reserved_variable(std::string_view name, Origin origin) const;

  /// The compiled pattern of a text, kept for later calls. Errors: those of text::Regex.
  [[nodiscard]] const text::Regex& compiled(std::string_view pattern);

 private:
  friend class BoundLambda;
  struct State;

  // Evaluation by node. Absent: a jump is pending.
  [[nodiscard]] Value visit(const Expression& expression, Scope& scope);
  [[nodiscard]] Value dispatch(const Expression& expression, Scope& scope);
  [[nodiscard]] Value list(const List& list, Scope& scope);
  [[nodiscard]] Value hash(const Hash& hash, Scope& scope);
  [[nodiscard]] Value variable(const Variable& variable, Scope& scope);
  [[nodiscard]] Value unknown_variable(const Variable& variable, Scope& scope);
  [[nodiscard]] Value interpolation(const Interpolation& interpolation, Scope& scope);
  [[nodiscard]] Value unary(const Unary& unary, Scope& scope);
  [[nodiscard]] Value binary(const Binary& binary, Scope& scope);
  [[nodiscard]] Value apply(const Binary& binary, const Value& left, Scope& scope);
  [[nodiscard]] Value access(const Access& access, Scope& scope);
  [[nodiscard]] Value computed_access(const Access& access, Scope& scope);
  [[nodiscard]] Value type_name(const TypeName& name);
  [[nodiscard]] Value assignment(const Assignment& assignment, Scope& scope);
  void assign(const Expression& target, const Value& value, const Assignment& assignment, Scope& scope);
  void assign_variable(const Variable& variable, const Value& value, Scope& scope);
  [[nodiscard]] Value conditional(const If& conditional, Scope& scope);
  [[nodiscard]] Value case_of(const Case& chosen, Scope& scope);
  [[nodiscard]] Value selector(const Selector& selector, Scope& scope);
  [[nodiscard]] Value block(const Block& block, Scope& scope);
  [[nodiscard]] Value call_of(const Call& call, Scope& scope);
  [[nodiscard]] Value call_builtin(const BuiltinEntry& entry, const FunctionCall& call);
  [[noreturn]] void unknown_function(const FunctionCall& call) const;
  /// Whether one option of a case or selector matches. Absent: a jump is pending.
  [[nodiscard]] Value fits(const Expression& option, const Value& subject, Scope& scope);
  [[noreturn]] void out_of_steps() const;
  [[noreturn]] void stray_jump();

  EvaluatorContext context_;
  std::size_t steps_left_;
  std::size_t depth_ = 0;
  Jump jump_ = Jump::none;
  Value jump_value_;
  Origin jump_origin_;
  std::unique_ptr<State> state_;  ///< Rarely used: compiled patterns, sizes of containers.
};

}  // namespace strata::puppet
