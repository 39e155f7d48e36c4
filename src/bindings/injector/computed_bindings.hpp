// SPDX-License-Identifier: Apache-2.0
// Parameters of objects, selected through maps, and computed hashes.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/injector/references.hpp"
#include "bindings/services.hpp"
#include "value/seeded_hash.hpp"

namespace strata::bindings {

class ExtensionProducers;
class Producers;

/// The pairs of names in a map, from a hash of texts or a list of them. Error `bindings.map`.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> parameter_pairs(const Value& value);

/// Bindings that only a node can determine, made while a request is composed. Keeps their values.
class ComputedBindings {
 public:
  /// `services`: parameter names, and whether a duplicate key is an error.
  ComputedBindings(Composition& composition, Expressions& expressions, Provenance& provenance,
                   queries::Answers& answers, Producers& producers, ExtensionProducers& extensions,
                   const Services& services, Problems& problems)
      : composition_(composition),
        sources_(expressions.sources()),
        arena_(expressions.arena()),
        expressions_(expressions),
        provenance_(provenance),
        answers_(answers),
        producers_(producers),
        extensions_(extensions),
        services_(services),
        problems_(problems) {}

  /// A computed value.
  struct Ready {
    merge::Traced value;
    std::string via;
  };
  /// Expands all of them. Errors are added to the problems.
  void expand_all();
  /// For a binding whose member is kReady or more.
  [[nodiscard]] const Ready& ready(std::uint32_t member) const { return ready_[member - Binding::kReady]; }

 private:
  struct Object;
  struct ParameterMap;
  void expand(const Placed& placed);
  void expand_object(const Placed& placed, const TypeRef& reference);
  [[nodiscard]] std::optional<Object> object_of(const Placed& placed, const TypeRef& reference);
  [[nodiscard]] ParameterMap map_of(const Placed& placed, const TypeRef& reference, const Object& object);
  [[nodiscard]] std::optional<std::vector<std::string>> parameter_names(const Type& type);
  void add_ready(const Placed& placed, std::string name, const merge::Traced& value, std::uint32_t declared,
                 std::string via);
  void warn_of_repeated(const Diagnostic& repeated);

  Composition& composition_;
  const Sources& sources_;
  Arena& arena_;
  Expressions& expressions_;
  Provenance& provenance_;
  queries::Answers& answers_;
  Producers& producers_;
  ExtensionProducers& extensions_;
  const Services& services_;
  Problems& problems_;
  std::deque<Ready> ready_;
  TextMap<const Statement*> objects_;  ///< By reference, type and rank: the statement that bound an object of the type.
};

}  // namespace strata::bindings
