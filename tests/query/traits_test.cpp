// SPDX-License-Identifier: Apache-2.0
// Properties of dialects.
#include "strata/traits.hpp"

#include <gtest/gtest.h>

#include <array>

namespace strata::query {
namespace {

TEST(Traits, StringsReferByTheSyntaxOfTheirDialect) {
  EXPECT_TRUE(refers(ReferenceSyntax::percent, "a %{b}"));
  EXPECT_FALSE(refers(ReferenceSyntax::percent, "a ${b}"));
  EXPECT_TRUE(refers(ReferenceSyntax::dollar, "a ${b}"));
  EXPECT_TRUE(refers(ReferenceSyntax::dollar, "$[ exports:a ]"));
  EXPECT_FALSE(refers(ReferenceSyntax::dollar, "a %{b} $c"));
  EXPECT_FALSE(refers(ReferenceSyntax::none, "%{a} ${b} $[c]"));
}

TEST(Traits, OnlyFunctionsOfPercentReferToItems) {
  EXPECT_FALSE(refers_to_items(ReferenceSyntax::percent, "%{facts.role}"));
  EXPECT_TRUE(refers_to_items(ReferenceSyntax::percent, "%{lookup('a')}"));
  EXPECT_TRUE(refers_to_items(ReferenceSyntax::dollar, "${a}"));
  EXPECT_FALSE(refers_to_items(ReferenceSyntax::dollar, "f(a)"));
}

TEST(Traits, FindASectionByItsName) {
  static constexpr std::array kSections{Section{.name = "data"}, Section{.name = "more", .least_depth = 1}};
  const Traits traits{.sections = kSections};
  ASSERT_NE(traits.section("more"), nullptr);
  EXPECT_EQ(traits.section("more")->least_depth, 1U);
  EXPECT_EQ(traits.section("mor"), nullptr);
}

TEST(Traits, APlainDialectHasNoStatements) {
  EXPECT_FALSE(plain_traits().has_statements);
  EXPECT_FALSE(plain_traits().has_items());
  EXPECT_FALSE(plain_traits().merges_by_key());
  EXPECT_TRUE(plain_traits().references_in("%{a}").variables.empty());
  EXPECT_NE(plain_traits().profile, nullptr);
}

}  // namespace
}  // namespace strata::query
