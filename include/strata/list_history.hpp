// SPDX-License-Identifier: Apache-2.0
// How the lists of a result were merged.
#pragma once

#include <functional>
#include <vector>

#include "strata/merge.hpp"

namespace strata::merge {

/// The history of one list of a result.
struct ListHistory {
  Path path;
  Value value;
  ListAction action = ListAction::single;
  Rule rule;               ///< That the last merge followed. Without text: nothing was said.
  std::size_t layers = 0;  ///< How many have something at the path.
  /// For each item the contribution that its first leaf came from, with that leaf as its value. `layer` is kNoLayer if
  /// no layer gave it.
  std::vector<Contribution> items;
  std::vector<Contribution>
      dropped;  ///< What is at or below the path and not in the result, in the order of History::explain.
};

/// What `each_list` visits, and in what order.
struct ListReading {
  bool sort_keys = false;  ///< Members of mappings in the order of their keys, as reports sort them. If false, in that
                           ///< of the result.
  bool is_documents = false;  ///< The result is a sequence of documents, which is itself no list.
  /// Changes what History::explain gives before it is used: contributions, but no paths. Empty: nothing does.
  std::function<void(std::vector<PathHistory>& paths)> revise = {};
  const Stop* stop = nullptr;  ///< Ends the work. Null: nothing does.
};

/// Calls `visit` for every list at or below the root of `result`: each list before those in it. What is secret counts
/// as a leaf: lists in it are not told. Cost: as History::explain, and for each list the contributions below it.
/// Errors: those of Stop::check.
void each_list(const History& history, const Traced& result, const ListReading& reading,
               const std::function<void(const ListHistory&)>& visit);

}  // namespace strata::merge
