// SPDX-License-Identifier: Apache-2.0
// Which documents warnings about missing parents name.
#include <gtest/gtest.h>

#include "deckhand/site.hpp"

namespace strata::deckhand {
namespace {

TEST(NearParents, NameTheLabelThatDiffers) {
  const auto warning = [](const std::string& labels, const std::string& selector) {
    Site site({{.name = "g", .layer = "global", .more = "labels: " + labels},
               {.name = "other", .layer = "global", .more = "labels: {z: unlike}", .schema = "example/Other/v1"},
               {.name = "c", .layering = selects(selector)}});
    (void)site.render();
    const std::string told = site.told();
    const std::size_t at = told.find(" is near: ");
    return at == std::string::npos ? "" : told.substr(at + 10, told.find('\n', at) - at - 10);
  };
  EXPECT_EQ(warning("{role: edge}", "{role: egde}"), "its label 'role' is 'edge', not 'egde'");
  EXPECT_EQ(warning("{role: edge, zone: a}", "{role: edge, zone: q}"), "its label 'zone' is 'a', not 'q'");
  EXPECT_EQ(warning("{role: edge}", "{role: edge, zone: q}"), "it has no label 'zone'");
  EXPECT_EQ(warning("{role: edge}", "{rolle: edge}"), "its label 'rolle' is called 'role'");
  EXPECT_EQ(warning("{number: '1'}", "{number: 1}"), "its label 'number' is text 1, not an integer 1");
  EXPECT_EQ(warning("{role: edge}", "{role: quite-another}"), "its label 'role' is 'edge', not 'quite-another'");
  EXPECT_EQ(warning("{a: b}", "{z: unlike}"), "");
}

TEST(NearParents, TheNearestOnesComeFirst) {
  std::vector<Doc> documents;
  for (const char* value : {"ab1", "far-away", "ab2", "ab3", "ab4"})
    documents.push_back({.name = value, .layer = "global", .more = std::string("labels: {x: ") + value + "}"});
  documents.push_back({.name = "c", .layering = selects("{x: ab0}")});
  Site site(documents);
  (void)site.render();
  const std::string told = site.told();
  EXPECT_TRUE(has(told, "global/ab1 is near") && has(told, "global/ab2 is near") && has(told, "global/ab3 is near"));
  EXPECT_FALSE(has(told, "global/ab4") || has(told, "far-away is near")) << told;
}

}  // namespace
}  // namespace strata::deckhand
