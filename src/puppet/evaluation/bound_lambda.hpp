// SPDX-License-Identifier: Apache-2.0
// A lambda with its scope, ready for many calls.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "puppet/evaluation/evaluator.hpp"
#include "strata/puppet.hpp"

namespace strata::puppet {

/// The constructor evaluates its types. Errors: those of the types.
///
/// Built-in functions use it like this:
///
///     BoundLambda lambda(call, evaluator);
///     for (…) {
///       const Value result = lambda(arguments);                     // `next` is a result like any other
///       if (!result) {
///         if (evaluator.take(Jump::break_)) break;                  // where `break` ends this function alone
///         return {};                                                // `return`, and `break` of others: handed on
///       }
///     }
class BoundLambda {
 public:
  BoundLambda(const Lambda& lambda, Scope& outer, Evaluator& evaluator);
  /// For a call that has a lambda.
  BoundLambda(const FunctionCall& call, Evaluator& evaluator) : BoundLambda(*call.lambda, *call.scope, evaluator) {}

  /// Binds the arguments, checks their types, evaluates. Absent: `break` or `return` is pending. Counts a step.
  /// Errors: `puppet.arguments` for too few, too many or wrong arguments; `puppet.type-mismatch` for the result.
  [[nodiscard]] Value operator()(std::span<const Value> arguments);
  [[nodiscard]] Value operator()(const Value& argument) { return (*this)(std::span(&argument, 1)); }
  [[nodiscard]] Value operator()(const Value& first, const Value& second);

  /// Number of parameters, including the one for the rest.
  [[nodiscard]] std::size_t parameters() const noexcept { return lambda_.parameters.size(); }
  /// Whether it accepts this number of arguments.
  [[nodiscard]] bool takes(std::size_t arguments) const noexcept;
  [[nodiscard]] bool takes_rest() const noexcept {
    return !lambda_.parameters.empty() && lambda_.parameters.back().takes_rest;
  }

 private:
  bool bind(std::span<const Value> arguments, Scope& frame);
  void check(std::size_t parameter, const Value& argument) const;

  const Lambda& lambda_;
  Scope& outer_;
  Evaluator& evaluator_;
  std::vector<TypeRef> types_;  ///< Of the parameters; null: anything. Empty if none has a type.
  TypeRef return_type_;         ///< Null: anything.
  bool has_defaults_ = false;
  std::size_t reserved_ = 0;  ///< The first parameter with a reserved name; their number: none.
};

/// The minimal and maximal number of arguments of a lambda (npos: any number).
struct Arity {
  std::size_t least = 0;
  std::size_t most = 0;
};
[[nodiscard]] Arity arity(const Lambda& lambda) noexcept;

}  // namespace strata::puppet
