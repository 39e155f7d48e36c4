// SPDX-License-Identifier: Apache-2.0
#include "value/node_count.hpp"

#include <gtest/gtest.h>

#include "strata/error.hpp"

namespace strata {
namespace {

TEST(NodeCount, TheLimitIsForAllTogether) {
  Limits limits;
  limits.result = 5;
  NodeCount nodes(limits, "files");
  nodes.add(2);
  nodes.add(3);
  EXPECT_EQ(nodes.total(), 5U);
  try {
    nodes.add(1);
    ADD_FAILURE() << "six nodes";
  } catch (const Error& error) {
    EXPECT_EQ(format(error.diagnostic(), "error"),
              "error: the files have more than 5 nodes together, aliases written out [limit.result]\nhint: raise the "
              "limit with --limit result=NODES\n");
  }
}

}  // namespace
}  // namespace strata
