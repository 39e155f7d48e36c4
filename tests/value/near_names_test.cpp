// SPDX-License-Identifier: Apache-2.0
#include "strata/near_names.hpp"

#include <gtest/gtest.h>

#include <array>

namespace strata {
namespace {

TEST(EditDistance, CountsWhatMakesOneOfTheOther) {
  struct Case {
    std::string_view left;
    std::string_view right;
    std::size_t distance;
  };
  constexpr Case kCases[] = {
      {"", "", 0},          {"", "abc", 3},           {"users", "users", 0}, {"Users", "uSERS", 0},
      {"users", "user", 1}, {"usres", "users", 1},    {"ports", "parts", 1}, {"ab", "ba", 1},
      {"abc", "ca", 3},     {"kitten", "sitting", 3},
  };
  for (const Case& one : kCases) {
    EXPECT_EQ(edit_distance(one.left, one.right), one.distance) << one.left << " " << one.right;
    EXPECT_EQ(edit_distance(one.right, one.left), one.distance) << one.right << " " << one.left;
  }
}

TEST(NearestName, IsWhatWasMeant) {
  struct Case {
    std::string_view wanted;
    std::string_view near;
  };
  constexpr std::array<std::string_view, 5> kNames{"users", "groups", "ntp", "ntp::servers", "nodes"};
  constexpr Case kCases[] = {
      {"user", "users"},    {"usres", "users"}, {"ntp::server", "ntp::servers"},
      {"groops", "groups"}, {"NTP", "ntp"},     {"node", "nodes"},
      {"packages", ""},     {"xyz", ""},        {"", ""},
      {"ngg", ""},
  };
  for (const Case& one : kCases) EXPECT_EQ(nearest_name(kNames, one.wanted), one.near) << one.wanted;
}

TEST(NearestName, TakesTheFirstOfEquallyNearOnes) {
  constexpr std::array<std::string_view, 2> kNames{"port_a", "port_b"};
  EXPECT_EQ(nearest_name(kNames, "port_c"), "port_a");
}

TEST(NearestName, LooksForNothingMistypedInLongTexts) {
  const std::string name(100, 'a');
  const std::string longer = name + 'a';
  const std::array<std::string_view, 1> names{name};
  EXPECT_EQ(nearest_name(names, name), name);
  EXPECT_EQ(nearest_name(names, longer), "");
}

TEST(NearestName, OfNoNamesIsNone) { EXPECT_EQ(nearest_name({}, "users"), ""); }

}  // namespace
}  // namespace strata
