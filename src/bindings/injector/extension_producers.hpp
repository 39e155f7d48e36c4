// SPDX-License-Identifier: Apache-2.0
// Producers and types registered by extensions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bindings/extensions/registry.hpp"
#include "bindings/injector/references.hpp"

namespace strata::bindings {

class ExtensionContext;
class Lookup;

/// Finds the producers that statements name, and calls them.
class ExtensionProducers {
 public:
  /// `registry`: null if there are no extensions.
  ExtensionProducers(Composition& composition, Expressions& expressions, Provenance& provenance, References& references,
                     Lookup& lookup, const Registry* registry, ExtensionContext& context)
      : composition_(composition),
        sources_(expressions.sources()),
        expressions_(expressions),
        provenance_(provenance),
        references_(references),
        lookup_(lookup),
        registry_(registry),
        context_(context) {}

  /// The value of `producer "x"` or `producer Type[X]`.
  [[nodiscard]] Value named_producer(const Production& work);
  /// The producer itself: from the multibind `producers`, or else from an extension. Null if there is none.
  [[nodiscard]] extensions::Producer* producer_of(const Production& work);
  /// An instance of a type that an extension registered. Absent if no extension has the type.
  [[nodiscard]] merge::Traced instance(const Type& type, const Value& arguments);
  /// Checks `bind T, 'x' to producer 'p'`: the type for which p is bound as a producer must match T.
  void check(Problems& problems);

 private:
  [[nodiscard]] std::string producer_name(const Production& work);
  [[nodiscard]] std::uint32_t producers_key();

  Composition& composition_;
  const Sources& sources_;
  Expressions& expressions_;
  Provenance& provenance_;
  References& references_;
  Lookup& lookup_;
  const Registry* registry_;
  ExtensionContext& context_;
  std::optional<std::uint32_t> producers_key_;
};

}  // namespace strata::bindings
