// SPDX-License-Identifier: Apache-2.0
#include "tree/shared_library.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace strata {
namespace {

TEST(SharedLibrary, OpensTheFirstThatIsThere) {
  const auto library = SharedLibrary::open({"libno-such-thing.so.1", "libm.so.6"});
  ASSERT_NE(library, nullptr);
  const auto root = library->symbol<double (*)(double)>("sqrt");
  ASSERT_NE(root, nullptr);
  EXPECT_EQ(root(9.0), 3.0);
  EXPECT_EQ(library->symbol<void (*)()>("no_such_function"), nullptr);
}

TEST(SharedLibrary, IsNullWhereThereIsNone) { EXPECT_EQ(SharedLibrary::open({"libno-such-thing.so.1"}), nullptr); }

}  // namespace
}  // namespace strata
