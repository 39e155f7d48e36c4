// SPDX-License-Identifier: Apache-2.0
#include "bindings/injector/injection.hpp"

#include <utility>

#include "bindings/injector/usage.hpp"

namespace strata::bindings {

Preparations::Preparations() : state_(std::make_unique<State>()) {}
Preparations::~Preparations() = default;

Injection::Injection(Preparations& shared, std::shared_ptr<const Request> of, Services given, Session& session)
    : request(std::move(of)),
      services(std::move(given)),
      answers(services.queries, session.sources(), arena, request->certname),
      context(*request, session, arena, expressions, lookup, provenance),
      functions(*request, services.extensions, services.functions, expressions, lookup, provenance, context),
      expressions(*request, services, session, arena, answers, functions, functions),
      attached(services.extensions, context),
      composition(
          shared.state_->plans.plan(*request, session.sources(), session.limits()), *request, session.sources(),
          session.limits(), [this](const Expression& expression) { return expressions.resolve(expression); }, problems),
      provenance(session.recorder(), composition, answers),
      layers(composition, provenance),
      references(composition, expressions, layers),
      computed(composition, expressions, provenance, answers, producers, extensions, services, problems),
      extensions(composition, expressions, provenance, references, lookup, services.extensions, context),
      multibinds(composition, expressions, provenance, references, producers, services.extensions, context),
      lists(composition, expressions, provenance, layers, multibinds, lookup),
      producers(composition, expressions, provenance, answers, layers, references, lookup, multibinds, lists, computed,
                extensions, context),
      lookup(composition, expressions, layers, references, producers, extensions, lists),
      explainer(composition, expressions, provenance, layers, references, lookup, producers, multibinds, lists,
                computed),
      listing(composition, expressions, provenance, layers, lookup, lists, explainer),
      checker(*request, composition, expressions, references, lookup, lists) {
  computed.expand_all();
  composition.settle();
  try {
    check();
  } catch (const Error& error) {
    if (!error.ends_request()) learn();
    throw;
  }
  learn();
}

void Injection::check() {
  StaticChecks checks(composition, expressions, layers, references, lookup, services.extensions, problems);
  checks.check_extensions();
  checks.check_effective();
  if (problems.empty() && services.extensions != nullptr) extensions.check(problems);
  problems.raise();
  expressions.allow_injection();
  checks.settle_optionals();
  problems.raise();
  expressions.refill();
}

void Injection::learn() {
  if (services.usage != nullptr) services.usage->state_->learn(composition, layers);
}

}  // namespace strata::bindings
