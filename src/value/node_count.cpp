// SPDX-License-Identifier: Apache-2.0
#include "value/node_count.hpp"

#include <fmt/format.h>

#include "strata/error.hpp"

namespace strata {

void NodeCount::add(std::size_t nodes) {
  total_ += nodes;
  if (total_ <= limits_.result) return;
  throw Error("limit.result",
              fmt::format("the {} have more than {} nodes together, aliases written out", what_, limits_.result))
      .hint("raise the limit with --limit result=NODES");
}

}  // namespace strata
