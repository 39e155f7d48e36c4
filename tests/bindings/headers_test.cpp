#include <gtest/gtest.h>

#include "bindings/syntax/site.hpp"

namespace strata::bindings {
namespace {

TEST(Headers, AnEmptyManifestHasNone) {
  Sources sources;
  EXPECT_TRUE(read_headers(sources, sources.add("x.pp", ""), {}).empty());
}

}  // namespace
}  // namespace strata::bindings
