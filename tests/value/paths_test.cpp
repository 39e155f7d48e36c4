// SPDX-License-Identifier: Apache-2.0
#include "strata/paths.hpp"

#include <gtest/gtest.h>

namespace strata {
namespace {

TEST(Paths, AreAbsoluteAndNormal) {
  EXPECT_EQ(absolute_path("/a/b", "c"), "/a/b/c");
  EXPECT_EQ(absolute_path("/a/b", "/c/./d/"), "/c/d");
  EXPECT_EQ(absolute_path("/a/b", "../c//d/../e/"), "/a/c/e");
  EXPECT_EQ(absolute_path("/a/b/", "."), "/a/b");
  EXPECT_EQ(absolute_path("/a/b", ""), "/a/b");
  EXPECT_EQ(absolute_path("/a", "../../.."), "/");
  EXPECT_EQ(absolute_path("/a", "/../x"), "/x");
  EXPECT_EQ(absolute_path("", "x"), "/x");
  EXPECT_EQ(absolute_path("", ""), "/");
  EXPECT_EQ(absolute_path("/", "..x/..."), "/..x/...");
}

}  // namespace
}  // namespace strata
