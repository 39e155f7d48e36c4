// SPDX-License-Identifier: Apache-2.0
// Texts without some members, in which everything else stays in place.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "strata/text_edit.hpp"
#include "support/expect_error.hpp"

namespace strata::edit {
namespace {

std::string rest(std::string_view text, const std::vector<std::string>& pointers, const Form& form = {}) {
  std::vector<Spot> spots;
  for (const std::string& pointer : pointers) spots.push_back({.document = 0, .pointer = pointer});
  return without("f", text, form, spots);
}
const Form kOther{.syntax = Syntax::other};

TEST(Without, LeavesBlanksInBlocks) {
  EXPECT_EQ(rest("a: 1\nb: 2 # x\nc: 3\n", {"/b"}), "a: 1\n     # x\nc: 3\n");
  EXPECT_EQ(rest("a: 1\nb:\n  c: é\n  d: |\n    t\ne: 2\n", {"/b/d", "/a"}), "    \nb:\n  c: é\n      \n     \ne: 2\n");
  EXPECT_EQ(rest("l:\n- a\n- b\n", {"/l/0"}), "l:\n   \n- b\n");
}

TEST(Without, EmptiesContainers) {
  EXPECT_EQ(rest("a: 1\nb: 2\n", {"/a", "/b"}), "{}  \n    \n");
  EXPECT_EQ(rest("l:\n- a\n- b\nm: 1\n", {"/l/0", "/l/1"}), "l: []\n   \n   \nm: 1\n");
  EXPECT_EQ(rest("a: &x\n  - 1\nb: {c: 1}\n", {"/a/0", "/b/c"}), "a: &x []\n     \nb: {    }\n");
}

TEST(Without, TakesTheCommaOfFlowMembers) {
  EXPECT_EQ(rest("a: [x, y, z]\n", {"/a/0"}), "a: [   y, z]\n");
  EXPECT_EQ(rest("a: [x, y, z]\n", {"/a/2"}), "a: [x, y   ]\n");
  EXPECT_EQ(rest("a: [x, y, z]\n", {"/a/1", "/a/2"}), "a: [x      ]\n");
  EXPECT_EQ(rest("a: [é, y]\n", {"/a/0"}), "a: [   y]\n");
  EXPECT_EQ(rest(R"({"a": 1, "b": {"c": 2}})", {"/a", "/b/c"}, {.syntax = Syntax::json}), R"({        "b": {      }})");
}

TEST(Without, WritesAnewWhatCannotBeBlanked) {
  EXPECT_EQ(rest("a: &x {b: 1}\nc: *x\n", {"/a"}), "---\nc:\n  b: 1\n");
  EXPECT_EQ(rest("a: &x {b: 1}\nc:\n  <<: *x\n  d: 1\n", {"/c/b"}), "---\na:\n  b: 1\nc:\n  d: 1\n");
}

TEST(Without, KnowsDocuments) {
  const std::vector<Spot> spots{{.document = 1, .pointer = "/a"}};
  EXPECT_EQ(without("f", "a: 1\n---\na: 2\nb: 3\n", {}, spots), "a: 1\n---\n    \nb: 3\n");
}

TEST(Without, RefusesWhatIsNotThere) {
  STRATA_EXPECT_ERROR(rest("a: 1\n", std::vector<std::string>(1, "/b")), "edit.not-found");
  STRATA_EXPECT_ERROR(rest("a: 1\n", std::vector<std::string>(1, "/a"), kOther), "edit.unsupported");
}

}  // namespace
}  // namespace strata::edit
