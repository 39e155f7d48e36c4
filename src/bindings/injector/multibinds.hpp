// SPDX-License-Identifier: Apache-2.0
// Multibinds: combine the contributions to an id. Rule: docs/bindings/guide.md, "Many contribute to one value".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bindings/extensions/registry.hpp"
#include "bindings/injector/references.hpp"

namespace strata::bindings {

class ExtensionContext;
class Producers;

/// Collects contributions and records what happened to each.
class Multibinds {
 public:
  /// `registry`: null if there are no extensions.
  Multibinds(Composition& composition, Expressions& expressions, Provenance& provenance, References& references,
             Producers& producers, const Registry* registry, ExtensionContext& context)
      : composition_(composition),
        sources_(expressions.sources()),
        limits_(expressions.limits()),
        arena_(expressions.arena()),
        expressions_(expressions),
        provenance_(provenance),
        references_(references),
        producers_(producers),
        registry_(registry),
        context_(context) {}

  /// A contribution in effect, with its value.
  struct Part {
    Production work;
    merge::Traced value;
    Rank rank = 0;
    std::string_view name;
    const Contributed* contributed = nullptr;
  };
  /// What happened to a contribution.
  struct Outcome {
    std::string reason;  ///< Why nothing of it was used. Empty: something was.
    merge::LayerId history = merge::kNoLayer;
  };
  /// The value of a multibind.
  [[nodiscard]] merge::Traced collect(std::uint32_t key, const Candidate& candidate);
  /// The contributions to an id, in order, without optional ones that produced nothing.
  [[nodiscard]] std::vector<Part> parts_of(const Production& multibind, std::string_view id);
  /// Null if it was not collected, or no history is kept.
  [[nodiscard]] const Outcome* outcome(const Contributed& contribution) const noexcept;

 private:
  [[nodiscard]] merge::Traced join_array(const Production& multibind, std::vector<Part>& parts);
  [[nodiscard]] merge::Traced join_hash(const Production& multibind, std::vector<Part>& parts);
  [[nodiscard]] merge::Traced combine(const Production& multibind, const Option& option, std::vector<Part>& parts,
                                      bool is_hash);
  [[nodiscard]] merge::Traced flattened(const Production& multibind, std::span<const Part* const> parts,
                                        std::size_t levels, bool uniq);
  [[nodiscard]] merge::Traced as_item(const merge::Traced& value);
  [[nodiscard]] merge::Traced opened(const merge::Traced& list);
  [[nodiscard]] merge::Traced items_of(const Production& multibind, const merge::Traced& value, std::size_t levels);
  void tell_of_repeated(std::span<const Part* const> parts, std::span<const std::size_t> ends, const Value& list,
                        const Value& distinct);
  [[nodiscard]] merge::Traced merged_hashes(const Production& multibind, std::span<Part* const> group);
  [[nodiscard]] merge::Traced strongest(std::span<Part* const> group);
  [[nodiscard]] merge::Traced stepped(const merge::Traced& memo, const merge::Traced& contribution, const Value& next,
                                      merge::LayerId own);
  [[nodiscard]] merge::LayerId own_layer(const Production& multibind);
  [[nodiscard]] std::size_t levels_of(const Production& multibind, std::size_t otherwise);
  void not_taken(const Part& part, std::string reason);
  [[noreturn]] void duplicate(const Production& multibind, const Part& first, const Part& second);

  Composition& composition_;
  const Sources& sources_;
  const Limits& limits_;
  Arena& arena_;
  Expressions& expressions_;
  Provenance& provenance_;
  References& references_;
  Producers& producers_;
  const Registry* registry_;
  ExtensionContext& context_;
  std::unordered_map<const Contributed*, Outcome> outcomes_;
};

}  // namespace strata::bindings
