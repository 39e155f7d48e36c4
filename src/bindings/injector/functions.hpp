// SPDX-License-Identifier: Apache-2.0
// Functions and bound variables of an injector, for expressions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bindings/extensions/registry.hpp"
#include "puppet/evaluation/evaluator.hpp"
#include "strata/bindings.hpp"

namespace strata::bindings {

class Expressions;
class ExtensionContext;
class Lookup;
class Provenance;

/// `inject` and `first_found`, the functions of extensions, and `$name` for what `bind variables` binds.
class InjectorFunctions final : public puppet::Functions, public puppet::Variables {
 public:
  /// `extensions` and `further` may be null.
  InjectorFunctions(const Request& request, const Registry* extensions, puppet::Functions* further,
                    Expressions& expressions, Lookup& lookup, Provenance& provenance, ExtensionContext& context)
      : request_(request),
        registry_(extensions),
        further_(further),
        expressions_(expressions),
        lookup_(lookup),
        provenance_(provenance),
        context_(context) {}

  [[nodiscard]] bool knows(std::string_view name) const override;
  [[nodiscard]] Value call(const puppet::FunctionCall& call, puppet::Evaluator& evaluator) override;
  [[nodiscard]] std::vector<std::string> names() const override;
  [[nodiscard]] bool has_own_types(std::string_view name) const override {
    return name == "inject" || name == "first_found";
  }
  [[nodiscard]] Value argument(const Expression& argument, puppet::Scope& scope, puppet::Evaluator& evaluator) override;
  /// Looks up bound variables, then those of the request.
  [[nodiscard]] Value find(std::string_view name, puppet::Evaluator& evaluator) override;

 private:
  [[nodiscard]] Value call_inject(const puppet::FunctionCall& call, puppet::Evaluator& evaluator);
  [[nodiscard]] Value call_first_found(const puppet::FunctionCall& call);

  const Request& request_;
  const Registry* registry_;
  puppet::Functions* further_;
  Expressions& expressions_;
  Lookup& lookup_;
  Provenance& provenance_;
  ExtensionContext& context_;
};

}  // namespace strata::bindings
