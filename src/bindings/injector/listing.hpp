// SPDX-License-Identifier: Apache-2.0
// Maps of all bindings.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/injector/references.hpp"

namespace strata::bindings {

class Explainer;
class Lookup;
class StatementLists;

/// Lists bindings by name.
class Listing {
 public:
  Listing(Composition& composition, Expressions& expressions, Provenance& provenance, LayerSources& layers,
          Lookup& lookup, StatementLists& lists, Explainer& explainer)
      : composition_(composition),
        arena_(expressions.arena()),
        expressions_(expressions),
        provenance_(provenance),
        layers_(layers),
        lookup_(lookup),
        lists_(lists),
        explainer_(explainer) {}

  // As Injector's.
  [[nodiscard]] std::vector<Injector::Key> keys();
  [[nodiscard]] merge::Traced all();
  [[nodiscard]] merge::Traced variables();
  [[nodiscard]] merge::Traced parameters(std::string_view reference, const Injector::IsParameter& is_parameter);

 private:
  using Listed = std::map<std::string, merge::Traced, std::less<>>;
  [[nodiscard]] merge::Traced listed_map(const Listed& listed);
  [[nodiscard]] merge::Traced listed_value(std::string_view name);

  Composition& composition_;
  Arena& arena_;
  Expressions& expressions_;
  Provenance& provenance_;
  LayerSources& layers_;
  Lookup& lookup_;
  StatementLists& lists_;
  Explainer& explainer_;
};

}  // namespace strata::bindings
