// SPDX-License-Identifier: Apache-2.0
// Layers that are asked lazily for keys: `hiera:`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/injector/provenance.hpp"

namespace strata::bindings {

/// The key sources of a request, with the ranks of their layers.
class LayerSources {
 public:
  LayerSources(const Composition& composition, Provenance& provenance)
      : composition_(composition), provenance_(provenance) {}

  using Source = Composition::Source;
  struct Found {
    merge::Traced value{};
    const Source* source = nullptr;  ///< Null: nothing was found.
  };
  [[nodiscard]] bool empty() const noexcept { return composition_.key_sources().empty(); }
  [[nodiscard]] const std::vector<Source>& all() const noexcept { return composition_.key_sources(); }
  /// A source's value for a name, with descriptions of its layers in the history.
  [[nodiscard]] merge::Traced ask(const Source& source, std::string_view name);
  /// The value of the strongest source of a key whose rank is at least `above` and less than `below`.
  [[nodiscard]] Found ask_sources(std::uint32_t key, Rank above, Rank below = UINT64_MAX);
  /// Whether there is one between two ranks.
  [[nodiscard]] bool has_source_between(std::uint32_t key, Rank above, Rank below);
  /// All names that they have.
  [[nodiscard]] std::vector<std::string> keys() const;
  [[nodiscard]] StatementReport told_of(const Source& source) const;

 private:
  const Composition& composition_;
  Provenance& provenance_;
};

}  // namespace strata::bindings
