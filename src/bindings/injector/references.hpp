// What a candidate stands for: through rebinds, under other names.
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

/// Follows candidates to the statements that have their values.
class References {
 public:
  References(Composition& composition, Expressions& expressions, LayerSources& layers)
      : composition_(composition), sources_(expressions.sources()), expressions_(expressions), layers_(layers) {}

  /// What a rebind takes; a null pointer where a source between the two has it.
  [[nodiscard]] const Candidate* rebound(std::uint32_t key, const Candidate& rebind);
  /// What a candidate comes to, through all rebinds; a null pointer where that is in a source.
  [[nodiscard]] const Candidate* behind_rebinds(std::uint32_t key, const Candidate& candidate);
  /// The key that an alias, or a new name, stands for.
  [[nodiscard]] std::uint32_t source_key(const Candidate& candidate);
  /// The id of a multibind; none where it has none, or is no multibind.
  [[nodiscard]] std::optional<std::string_view> id_of(const Candidate& candidate);

  /// That an abstract binding is the effective one.
  [[nodiscard]] Error abstract_error(std::uint32_t key, const Candidate& winner) const;
  /// Adds a note for each candidate that is not in effect.
  void note_ineffective(Error& error, std::uint32_t key) const;

 private:
  /// Adds a note for each candidate that `describe` has a text for; past some fifty, how many more there are.
  void note_candidates(Error& error, std::uint32_t key, const std::function<std::string(const Candidate&)>& describe) const;

  Composition& composition_;
  const Sources& sources_;
  Expressions& expressions_;
  LayerSources& layers_;
  std::unordered_map<const Statement*, std::string_view> ids_;  ///< Of multibinds whose id is no constant.
};

}  // namespace strata::bindings
