// SPDX-License-Identifier: Apache-2.0
// The value of one binding.
#pragma once

#include <cstdint>

#include "bindings/injector/references.hpp"

namespace strata::bindings {

class ComputedBindings;
class ExtensionContext;
class ExtensionProducers;
class Lookup;
class Multibinds;
class StatementLists;

/// Runs producers. Lookup keeps their results.
class Producers {
 public:
  Producers(Composition& composition, Expressions& expressions, Provenance& provenance, queries::Answers& answers,
            LayerSources& layers, References& references, Lookup& lookup, Multibinds& multibinds, StatementLists& lists,
            ComputedBindings& computed, ExtensionProducers& extensions, ExtensionContext& context)
      : composition_(composition),
        sources_(expressions.sources()),
        limits_(expressions.limits()),
        arena_(expressions.arena()),
        expressions_(expressions),
        provenance_(provenance),
        answers_(answers),
        layers_(layers),
        references_(references),
        lookup_(lookup),
        multibinds_(multibinds),
        lists_(lists),
        computed_(computed),
        extensions_(extensions),
        context_(context) {}

  /// The value of a candidate of any form. Absent: an optional producer produced nothing.
  [[nodiscard]] merge::Traced produce_candidate(std::uint32_t key, const Candidate& candidate);
  /// The value of a producer with its options, checked. Absent: an optional one produced nothing.
  [[nodiscard]] merge::Traced produce(const Production& work);
  /// Whether its result is kept.
  [[nodiscard]] bool is_singleton(const Production& work);

 private:
  [[nodiscard]] Value named(const KeyText& key, const Value& value);
  [[nodiscard]] merge::Traced produce_lower(std::uint32_t key, const Candidate& candidate);
  [[nodiscard]] merge::Traced produce_alias(std::uint32_t key, const Candidate& candidate);
  [[nodiscard]] Value raw_value(const Production& work);
  [[nodiscard]] Value written_map(const Production& work);
  [[nodiscard]] Value map_value(const Production& work, const Value& value);
  [[nodiscard]] Value from_resources(const Production& work, ProducerForm form);

  Composition& composition_;
  const Sources& sources_;
  const Limits& limits_;
  Arena& arena_;
  Expressions& expressions_;
  Provenance& provenance_;
  queries::Answers& answers_;
  LayerSources& layers_;
  References& references_;
  Lookup& lookup_;
  Multibinds& multibinds_;
  StatementLists& lists_;
  ComputedBindings& computed_;
  ExtensionProducers& extensions_;
  ExtensionContext& context_;
  std::size_t rebinds_ = 0;
};

}  // namespace strata::bindings
