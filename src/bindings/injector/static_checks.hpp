// SPDX-License-Identifier: Apache-2.0
// Checks of the effective bindings before any producer runs.
#pragma once

#include <cstdint>

#include "bindings/extensions/registry.hpp"
#include "bindings/injector/references.hpp"

namespace strata::bindings {

class Lookup;

/// Checks a settled composition. Errors are added to the problems.
class StaticChecks {
 public:
  /// `registry`: null if there are no extensions.
  StaticChecks(Composition& composition, Expressions& expressions, LayerSources& layers, References& references,
               Lookup& lookup, const Registry* registry, Problems& problems)
      : composition_(composition),
        sources_(expressions.sources()),
        layers_(layers),
        references_(references),
        lookup_(lookup),
        registry_(registry),
        problems_(problems) {}

  /// `Type[X]` must be a type that an extension registered.
  void check_extensions();
  /// Checks ties, overrides, abstract bindings, rebinds, other names and ids. Registers renamed keys with the lookup.
  void check_effective();
  /// Runs optional producers. If one produces nothing, the candidate that replaces it is checked too.
  void settle_optionals();

 private:
  void check_winner(std::uint32_t key, const Candidate& winner, bool is_tied);
  void check_multibind_ids();
  void check_alias(std::uint32_t key, const Candidate& candidate);
  [[nodiscard]] Error override_error(std::uint32_t key, const Candidate& winner);

  Composition& composition_;
  const Sources& sources_;
  LayerSources& layers_;
  References& references_;
  Lookup& lookup_;
  const Registry* registry_;
  Problems& problems_;
};

}  // namespace strata::bindings
