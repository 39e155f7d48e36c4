// SPDX-License-Identifier: Apache-2.0
// One thread's part of a fleet's lookup.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "fleet_cache.hpp"
#include "strata/fleet.hpp"
#include "view.hpp"

namespace strata::hiera {

/// Looks up nodes one after the other and keeps results for later ones. Not thread-safe: one per thread.
class FleetWorker {
 public:
  /// All must outlive this object. `session`: that of the whole fleet.
  FleetWorker(detail::DirectoryState& directory, const Session& session, const FleetQuery& query)
      : directory_(directory), session_(session), query_(query) {}

  /// Errors: those that end the whole run.
  [[nodiscard]] FleetResult look_up(const FleetNode& node);

 private:
  class NodeLookup;

  /// A name within one node.
  struct Seen {
    std::uint64_t node = 0;  ///< The number of the node.
    bool is_shared = true;   ///< Whether `state` determines the result.
    ResultTree::State state = ResultTree::kRoot;
  };

  detail::DirectoryState& directory_;
  const Session& session_;
  const FleetQuery& query_;
  FleetCache cache_;
  std::uint64_t nodes_ = 0;          ///< How many were looked up.
  std::vector<Seen> seen_;           ///< By name.
  std::vector<KeyTable::Id> order_;  ///< The names of the node, in order.
  std::vector<std::string_view> listed_;
  std::set<std::string> told_;  ///< ViewState::told for all nodes.
};

}  // namespace strata::hiera
