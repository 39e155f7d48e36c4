// Producers and types that extensions registered.
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
  /// `registry`: null where there are no extensions.
  ExtensionProducers(Composition& composition, Expressions& expressions, Provenance& provenance, References& references, Lookup& lookup,
                     const Registry* registry, ExtensionContext& context)
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
  /// The producer itself: by way of the multibind `producers`, else as an extension registered it; null where there is none.
  [[nodiscard]] extensions::Producer* producer_of(const Production& work);
  /// An instance of a type that an extension registered; absent where none has it.
  [[nodiscard]] merge::Traced instance(const Type& type, const Value& arguments);
  /// `bind T, 'x' to producer 'p'`, where p is bound as a producer of something: that must fit.
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
