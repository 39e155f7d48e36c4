// SPDX-License-Identifier: Apache-2.0
// Resolves candidates through rebinds and other names.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "bindings/injector/expressions.hpp"
#include "bindings/injector/layer_sources.hpp"

namespace strata::bindings {

/// Resolves candidates to the statements that have their values.
class References {
 public:
  References(Composition& composition, Expressions& expressions, LayerSources& layers)
      : composition_(composition), sources_(expressions.sources()), expressions_(expressions), layers_(layers) {}

  /// The candidate that a rebind takes. Null if a source between the two has the key.
  [[nodiscard]] const Candidate* rebound(std::uint32_t key, const Candidate& rebind);
  /// The candidate after resolving all rebinds. Null if the value is in a source.
  [[nodiscard]] const Candidate* behind_rebinds(std::uint32_t key, const Candidate& candidate);
  /// The key that an alias, or a new name, refers to.
  [[nodiscard]] std::uint32_t source_key(const Candidate& candidate);
  /// The id of a multibind. No value if it has none, or is not a multibind.
  [[nodiscard]] std::optional<std::string_view> id_of(const Candidate& candidate);

  /// The error for an effective binding that is abstract.
  [[nodiscard]] Error abstract_error(std::uint32_t key, const Candidate& winner) const;
  /// Adds a note for each candidate that is not in effect.
  void note_ineffective(Error& error, std::uint32_t key) const;
  /// As note_ineffective, for a key whose lookup gave no value: also for each candidate whose optional producer
  /// produced nothing.
  void note_without_value(Error& error, std::uint32_t key) const;

 private:
  [[nodiscard]] std::string why_ineffective(const Candidate& candidate) const;
  /// Adds a note for each candidate for which `describe` returns a text. After some fifty, a note with the number of
  /// the others.
  void note_candidates(Error& error, std::uint32_t key,
                       const std::function<std::string(const Candidate&)>& describe) const;

  Composition& composition_;
  const Sources& sources_;
  Expressions& expressions_;
  LayerSources& layers_;
  std::unordered_map<const Statement*, std::string_view> ids_;  ///< For multibinds whose id is not constant.
};

}  // namespace strata::bindings
