// Evaluates expressions of the Puppet language, as Puppet 7 was seen to do.
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

/// A call of a function, with its arguments evaluated.
struct FunctionCall {
  std::string_view name;
  std::span<const Value> arguments;
  const Lambda* lambda = nullptr;
  Scope* scope = nullptr;  ///< Of the caller; lambdas are called with it (puppet/evaluation/bound_lambda.hpp).
  Origin origin;           ///< Of the call's name.
};

/// Functions beyond the built-in ones: `inject`, `first_found`, `lookup`, those of extensions. Asked where no built-in one has the name.
class Functions {
 public:
  virtual ~Functions() = default;
  /// Whether there is one of this name.
  [[nodiscard]] virtual bool knows(std::string_view name) const = 0;
  [[nodiscard]] virtual Value call(const FunctionCall& call, Evaluator& evaluator) = 0;
  /// Names, for near names in errors.
  [[nodiscard]] virtual std::vector<std::string> names() const { return {}; }
  /// Whether `argument` is asked what the arguments of a function are.
  [[nodiscard]] virtual bool has_own_types(std::string_view /*name*/) const { return false; }
  /// The value of an argument whose types mean something else than in expressions; absent: it is evaluated as any other.
  [[nodiscard]] virtual Value argument(const Expression& /*argument*/, Scope& /*scope*/, Evaluator& /*evaluator*/) { return {}; }
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

/// How a lambda is left before its end.
enum class Jump : std::uint8_t { none, next, break_, return_ };

/// Evaluates. The arena must not be cleared while it lives. Bounded by Limits: `steps` (each node, each item that a function makes), `depth` of
/// expressions in each other and of values, `result` for the nodes of one value, `input` for the bytes of one text; more is an Error `limit.*`. Not
/// thread-safe; cheap to make. Errors: `puppet.*` with the place of the expression.
class Evaluator {
 public:
  explicit Evaluator(EvaluatorContext context);
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  /// What it computes carries the origin of the expression; what it only passes on (variables, members, literals) keeps its own. Never absent:
  /// `next`, `break` and `return` outside of a lambda are the error `puppet.jump`.
  [[nodiscard]] Value evaluate(const Expression& expression, Scope& scope);
  /// Calls a lambda with arguments: types are checked, defaults evaluated. `outer`: the scope that it was written in. `next` gives the result;
  /// `break` and `return` are the error `puppet.jump`. Built-in functions use a BoundLambda (puppet/evaluation/bound_lambda.hpp) instead.
  [[nodiscard]] Value call(const Lambda& lambda, std::span<const Value> arguments, Scope& outer);
  /// The same of one that is called many times.
  [[nodiscard]] Value call(BoundLambda& lambda, std::span<const Value> arguments);
  /// Calls a function by its name. The absent value: a jump is pending.
  [[nodiscard]] Value call(const FunctionCall& call);
  [[nodiscard]] EvaluatorContext& context() noexcept { return context_; }
  [[nodiscard]] const EvaluatorContext& context() const noexcept { return context_; }
  [[nodiscard]] Arena& arena() noexcept { return context_.arena; }

  /// Takes steps from the budget. Throws `limit.steps`.
  void charge(std::size_t steps) {
    if (steps > steps_left_) out_of_steps();
    steps_left_ -= steps;
  }
  /// Takes the steps for writing a text of so many bytes. Throws `limit.steps`, `limit.result`.
  void charge_text(std::size_t bytes);
  /// A fresh budget of steps, for the next request.
  void refill() noexcept { steps_left_ = context_.limits.steps; }
  /// Takes the steps for going through all of a value, as equality, texts and types do, and where it becomes a key. Throws `limit.steps`.
  void charge_value(const Value& value);
  /// The same for finding the type of a value, which makes a type of each of its nodes.
  void charge_inferring(const Value& value);
  /// Takes the steps for making a type of another one. Throws `limit.steps`; `limit.result` and `limit.depth` for a type that nobody could look at.
  void charge_type(const Type& part);
  /// Takes the steps for comparing two types: each part of the one may be looked at beside each of the other. Throws `limit.steps`.
  void charge_types(const Type& left, const Type& right);
  /// The first match in a text from `at` on. All searches of an evaluation go through here: one is bounded by the engine, but thousands of slow ones
  /// would take hours, so that what takes a millisecond or more takes a step a microsecond. Throws `limit.steps`, `limit.regex`.
  [[nodiscard]] std::optional<text::Regex::Match> find(const text::Regex& regex, std::string_view text, std::size_t at = 0);
  /// Whether a value is a member of a type, with the steps for it. Throws `limit.steps`.
  [[nodiscard]] bool is_member(const Type& type, const Value& value);
  /// Checks a new container against `result` and `depth`, counted as if written out; gives it back. Containers that a function returns are checked by
  /// who calls it. Throws `limit.result`, `limit.depth`.
  const Value& admit(const Value& container);

  // Jumps. While one is pending, whatever evaluates gives the absent value, which is handed on at once up to what takes the jump.
  /// Begins one; gives the absent value. `origin`: the place of the call that does it.
  Value jump(Jump kind, const Value& value, Origin origin) noexcept {
    jump_ = kind;
    jump_value_ = value;
    jump_origin_ = origin;
    return {};
  }
  /// Ends a pending jump of this kind and gives its value (undef where none was given); absent where no such jump is pending.
  Value take(Jump kind) noexcept {
    if (jump_ != kind) return {};
    jump_ = Jump::none;
    return jump_value_;
  }

  /// Adds a warning, once a code and place.
  void warn(Origin origin, std::string_view code, std::string message, std::string hint = {});
  /// An error at a place.
  [[nodiscard]] Error error(Origin origin, std::string code, std::string message) const;

  /// The compiled pattern of a text; kept for the next time. Errors: those of text::Regex.
  [[nodiscard]] const text::Regex& compiled(std::string_view pattern);

 private:
  friend class BoundLambda;
  struct State;

  // One room each; absent: a jump is pending.
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
  /// Whether one option of a case or selector fits; absent: a jump is pending.
  [[nodiscard]] Value fits(const Expression& option, const Value& subject, Scope& scope);
  [[noreturn]] void out_of_steps() const;
  [[noreturn]] void stray_jump();

  EvaluatorContext context_;
  std::size_t steps_left_;
  std::size_t depth_ = 0;
  Jump jump_ = Jump::none;
  Value jump_value_;
  Origin jump_origin_;
  std::unique_ptr<State> state_;  ///< What is rarely needed: compiled patterns, sizes of containers.
};

}  // namespace strata::puppet
