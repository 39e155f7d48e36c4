// SPDX-License-Identifier: Apache-2.0
// Why a key has its value.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "bindings/injector/references.hpp"

namespace strata::bindings {

class ComputedBindings;
class Lookup;
class Multibinds;
class Producers;
class StatementLists;

/// Explains the candidates of a key, and what happened to each.
class Explainer {
 public:
  Explainer(Composition& composition, Expressions& expressions, Provenance& provenance, LayerSources& layers,
            References& references, Lookup& lookup, Producers& producers, Multibinds& multibinds, StatementLists& lists,
            const ComputedBindings& computed)
      : composition_(composition),
        arena_(expressions.arena()),
        limits_(expressions.limits()),
        expressions_(expressions),
        provenance_(provenance),
        layers_(layers),
        references_(references),
        lookup_(lookup),
        producers_(producers),
        multibinds_(multibinds),
        lists_(lists),
        computed_(computed) {}

  /// As Injector::explain.
  [[nodiscard]] Explanation explain(std::string_view type_name, std::string_view name, const Value& fallback);
  /// A value of a key, with a history of what it shadows.
  [[nodiscard]] merge::Traced with_shadowed(std::uint32_t key, const merge::Traced& value);

 private:
  struct Rival;
  [[nodiscard]] std::vector<Rival> rivals(std::uint32_t key);
  [[nodiscard]] StatementReport told_of(const Rival& rival) const;
  [[nodiscard]] merge::Traced shadowed_value(std::uint32_t key, const Rival& rival, StatementReport& told);
  void explain_candidates(std::uint32_t key, const merge::Traced& value, Explanation& out);
  void explain_winner(std::uint32_t key, const Candidate& winner, Explanation& out);
  [[nodiscard]] merge::Traced hand_out(const merge::Traced& value);

  Composition& composition_;
  Arena& arena_;
  const Limits& limits_;
  Expressions& expressions_;
  Provenance& provenance_;
  LayerSources& layers_;
  References& references_;
  Lookup& lookup_;
  Producers& producers_;
  Multibinds& multibinds_;
  StatementLists& lists_;
  const ComputedBindings& computed_;
};

}  // namespace strata::bindings
