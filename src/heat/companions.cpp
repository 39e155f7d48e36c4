// SPDX-License-Identifier: Apache-2.0
// Questions about a combined environment.
#include "heat/declarations.hpp"
#include "heat/explicit_parameters.hpp"
#include "heat/parameters.hpp"
#include "heat/resource_hooks.hpp"
#include "heat/resource_types.hpp"
#include "strata/heat.hpp"

namespace strata::heat {

Value explicit_parameters(std::span<const std::string> words, Session& session) {
  return explicit_parameters(session.arena(), words, session.sources().add_name("<parameter>"));
}

Answer effective_parameters(const Request& request, Session& session) {
  const Composition composition = compose(request, session);
  const Environment& environment = composition.environment;
  const Declarations& declarations = *composition.declarations;
  const Schemata schemata =
      declarations.root ? declarations.root->parameters
                        : schemata_of_values(environment.parameters.value, environment.parameter_defaults.value);
  for (const std::shared_ptr<Arena>& arena : declarations.arenas) session.keep(arena);
  if (declarations.root) session.keep(declarations.root->arena);
  return {.value = effective_parameters(schemata, environment.parameters, environment.parameter_defaults, session),
          .memory = session.memory()};
}

Answer hooks(const ResourceRequest& request, Session& session) {
  const Composition composition = compose(request.stack, session);
  return {.value = ResourceRules(composition.environment.resource_registry, session).hooks(request.resource),
          .memory = session.memory()};
}

Answer restricted_actions(const ResourceRequest& request, Session& session) {
  const Composition composition = compose(request.stack, session);
  return {
      .value = ResourceRules(composition.environment.resource_registry, session).restricted_actions(request.resource),
      .memory = session.memory()};
}

ResolvedType resolve_type(const TypeRequest& request, Session& session) {
  const Composition composition = compose(request.stack, session);
  ResolvedType found = resolve_type(composition.environment.resource_registry, request.type, request.resource,
                                    request.built_in, session);
  found.memory = session.memory();
  return found;
}

}  // namespace strata::heat
