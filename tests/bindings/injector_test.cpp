// Lookups and producers. Rule: bindings 11 to 14.
#include <string>

#include "injector_world.hpp"

namespace strata::bindings {
namespace {

using testing::World;

TEST(Injector, GivesConstants) {
  World world;
  world.body("bind 'a' to 42  bind 'b' to ['x', {k => 1.5}]  bind 'c' to -3");
  EXPECT_EQ(world.inject("a"), "42");
  EXPECT_EQ(world.inject("b"), R"(["x", {"k": 1.5}])");
  EXPECT_EQ(world.inject("c"), "-3");
}

}  // namespace
}  // namespace strata::bindings
