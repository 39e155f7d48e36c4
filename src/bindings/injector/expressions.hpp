// SPDX-License-Identifier: Apache-2.0
// The expressions of statements, and their types.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "bindings/injector/production.hpp"
#include "bindings/queries/service.hpp"
#include "bindings/services.hpp"
#include "bindings/types/membership.hpp"
#include "bindings/types/type_reader.hpp"
#include "puppet/evaluation/evaluator.hpp"
#include "strata/bindings.hpp"

namespace strata::bindings {

/// Evaluates for one request. Until `allow_injection`, expressions see no bindings: names and conditions must not
/// depend on what they decide.
class Expressions {
 public:
  /// `functions` and `variables`: available to expressions besides the language's own. All must outlive it.
  Expressions(const Request& request, const Services& services, Session& session, Arena& arena,
              queries::Answers& answers, puppet::Functions& functions, puppet::Variables& variables);

  /// The value of a name, type or category value: only facts, `$environment` and variables of site.pp are visible.
  [[nodiscard]] Value resolve(const Expression& expression);
  /// An expression of a producer. Errors have the place of the statement.
  [[nodiscard]] Value evaluate(const Production& work, const Expression& expression);
  [[nodiscard]] Value call_lambda(const Production& work, const Option& option, std::span<const Value> arguments);
  /// The result of a query. Errors: as Answers::answer.
  [[nodiscard]] Value answer(const puppet::Query& query);
  /// An option that is true or false. Error `bindings.option`.
  [[nodiscard]] bool flag(const Production& work, std::string_view option, bool otherwise);

  /// Parses a type as a document writes it, and keeps it for later calls.
  [[nodiscard]] TypeRef read_type_text(std::string_view text);
  /// A type whose parts are expressions of a producer. Sets `has_secret`, which may be null, if one of them is secret.
  [[nodiscard]] TypeRef type_in(const Production& work, const Expression& expression, bool* has_secret = nullptr);
  [[nodiscard]] TypeRef type_in(const Production& work, const TypeReference& reference, bool* has_secret = nullptr);
  /// Error `bindings.type` if a value is not a member of a type.
  void check_type(const Production& work, const Type& type, const Value& value);
  [[nodiscard]] const Types& types() const noexcept { return types_; }

  /// Takes steps from the budget of the request. Throws `limit.steps`.
  void charge(std::size_t steps) { evaluator_.charge(steps); }
  /// A fresh budget, for the next call.
  void refill() noexcept { evaluator_.refill(); }

  [[nodiscard]] bool allows_injection() const noexcept { return allows_injection_; }
  void allow_injection() noexcept { allows_injection_ = true; }

  [[nodiscard]] Arena& arena() const noexcept { return arena_; }
  [[nodiscard]] Sources& sources() const noexcept { return session_.sources(); }
  [[nodiscard]] const Limits& limits() const noexcept { return session_.limits(); }
  /// Receives warnings.
  [[nodiscard]] Diagnostics& diagnostics() const noexcept { return session_.diagnostics(); }

 private:
  /// Evaluates the parts of a type for `type_in`. `work` and `has_secret` must outlive it.
  [[nodiscard]] EvaluatePart part_of(const Production& work, bool* has_secret);
  [[nodiscard]] TypeRef parsed_type(std::string_view text);

  Session& session_;
  Arena& arena_;
  queries::Answers& answers_;
  Types types_;
  puppet::Scope scope_;
  puppet::Evaluator evaluator_;
  bool allows_injection_ = false;
  std::map<std::string, TypeRef, std::less<>> read_types_;  ///< By text.
};

}  // namespace strata::bindings
