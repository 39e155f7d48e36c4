// SPDX-License-Identifier: Apache-2.0
// Which statements count for the nodes so far.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "bindings/composition/composition.hpp"
#include "bindings/injector/layer_sources.hpp"
#include "strata/bindings.hpp"

namespace strata::bindings {

struct Usage::State {
  /// Learns from a settled composition, whether its node has a result or not.
  void learn(const Composition& composition, LayerSources& layers);

  std::vector<Statement> news;
  std::map<std::string, std::string, std::less<>> values;  ///< By category: of the last node.

 private:
  using Kind = Statement::Kind;
  /// What stands for a statement: its address, or that of a `when`; and of the members of a hash, their places.
  using Name = std::pair<const void*, std::size_t>;
  struct Hash {
    std::size_t operator()(const Name& name) const noexcept {
      return std::hash<const void*>()(name.first) ^ (name.second * 0x9E3779B97F4A7C15U);
    }
  };
  struct Known {
    bool is_used = false;
    bool has_rival = false;
  };
  /// Who gives the value of a key.
  struct Winners {
    std::vector<const Candidate*> candidates =
        {};  ///< The effective one, and what it takes its value of. Empty: a source, or nothing.
    Origin origin = {};
  };

  void learn_key(std::uint32_t key);
  [[nodiscard]] Winners winners(std::uint32_t key);
  [[nodiscard]] bool is_bound_otherwise(std::uint32_t key, const Candidate& candidate);
  [[nodiscard]] LayerSources::Found in_sources(std::uint32_t key, Rank above);
  void learn_blocks(const PlannedDocument& one);
  /// `when`: of what has conditions of its own. Null: none.
  void see(const PlannedDocument& of, Kind kind, const Name& name, Origin origin, bool is_used, Origin rival,
           const When* when = nullptr);
  [[nodiscard]] Excerpt excerpt(Origin origin) const;

  const Composition* composition_ = nullptr;  ///< Of the node that is being learnt from.
  LayerSources* layers_ = nullptr;
  std::unordered_map<Name, Known, Hash> known_;
  std::unordered_set<std::shared_ptr<const Document>> documents_;  ///< Kept, so that addresses stand for one statement.
};

}  // namespace strata::bindings
