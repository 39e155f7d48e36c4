// SPDX-License-Identifier: Apache-2.0
#include "strata/chain.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace strata {
namespace {

using Names = std::vector<std::string>;

Names listed(std::span<const std::string> names) { return {names.begin(), names.end()}; }

TEST(Chain, ACircleBeginsWithTheNameThatClosesIt) {
  Chain<std::string> chain;
  const Chain<std::string>::Step first(chain, "a");
  const Chain<std::string>::Step second(chain, "b");
  const Chain<std::string>::Step third(chain, "c");
  EXPECT_EQ(listed(chain.names()), (Names{"a", "b", "c"}));
  EXPECT_EQ(listed(chain.circle("b")), (Names{"b", "c"}));
  EXPECT_EQ(listed(chain.circle("c")), Names{"c"});
  EXPECT_EQ(listed(chain.circle("d")), Names{});
}

TEST(Chain, AStepEndsHoweverItsWorkEnds) {
  Chain<std::string> chain;
  EXPECT_THROW(
      {
        const Chain<std::string>::Step step(chain, "a");
        throw std::runtime_error("no");
      },
      std::runtime_error);
  EXPECT_EQ(chain.size(), 0U);
  EXPECT_TRUE(chain.circle("a").empty());
}

}  // namespace
}  // namespace strata
