// SPDX-License-Identifier: Apache-2.0
// What met at the place of a list.
#pragma once

#include <set>
#include <vector>

#include "contributions.hpp"
#include "strata/merge.hpp"

namespace strata::merge {

/// The meetings at one place of a result, on the way to it and in it.
struct ListEvents {
  struct Event {
    ListAction action;
    RuleId rule;
  };
  std::vector<Event> events;  ///< The newest first.
  std::set<LayerId> layers;   ///< That have something there.
  RuleId ruled = 0;           ///< The rule that the value was said to follow (Recorder::ruled). 0: none.
};

/// Cost: O(meetings at the places on the way).
[[nodiscard]] ListEvents list_events(const Traced& result, Steps path);

}  // namespace strata::merge
