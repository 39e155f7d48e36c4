// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analysis/allow.hpp"

namespace strata::analysis {
namespace {

/// Where a code is allowed: the reasons for a place, nearest first.
std::vector<std::string> reasons(const std::string& name, const std::string& text, std::uint32_t line,
                                 std::uint32_t column = 1) {
  const Allows allows(name, text, form_by_name(name), {});
  std::vector<std::string> out;
  for (const std::size_t number : allows.allowing("check.typo", LinePlace{.line = line, .column = column}))
    out.push_back(allows.all()[number].reason);
  return out;
}

using Reasons = std::vector<std::string>;

TEST(Allows, HoldForAllInsideAStatement) {
  const std::string text =
      "# strata: allow-file typo file\na:  # strata: allow typo outer\n  # strata: allow typo inner\n  b:\n    - 1\nc: "
      "1\n";
  EXPECT_EQ(reasons("f.yaml", text, 2), (Reasons{"outer", "file"}));
  EXPECT_EQ(reasons("f.yaml", text, 4, 3), (Reasons{"inner", "outer", "file"}));
  EXPECT_EQ(reasons("f.yaml", text, 5, 7), (Reasons{"inner", "outer", "file"}));
  EXPECT_EQ(reasons("f.yaml", text, 6), (Reasons{"file"}));
}

TEST(Allows, NameTheirStatement) {
  const Allows allows("f.yaml", "a: {b: 1,\n  c/d: 2} # strata: allow typo x\n---\n# strata: allow typo y\nl:\n",
                      form_by_name("f.yaml"), {});
  ASSERT_EQ(allows.all().size(), 2U);
  EXPECT_EQ(allows.all()[0].pointer, "/a/c~1d");
  EXPECT_EQ(allows.all()[0].document, 0U);
  EXPECT_EQ(allows.all()[1].pointer, "/l");
  EXPECT_EQ(allows.all()[1].document, 1U);
}

TEST(Allows, OfManifestsAndHoconAreForALine) {
  const std::string manifest =
      "# strata: allow typo above\nbind('a') { # strata: allow typo behind\n  x => '# strata: allow typo no',\n}\n";
  EXPECT_EQ(reasons("f.pp", manifest, 2), (Reasons{"above"}));
  EXPECT_EQ(reasons("f.pp", manifest, 3, 3), Reasons{});
  const std::string heredoc = "$a = @(X)\n  # strata: allow typo no\n  | X\n$b = 1 # strata: allow typo yes\n";
  EXPECT_EQ(reasons("f.pp", heredoc, 2, 3), Reasons{});
  EXPECT_EQ(reasons("f.pp", heredoc, 4), (Reasons{"yes"}));
  EXPECT_EQ(reasons("f.conf", "a = 1 # strata: allow typo yes", 1), (Reasons{"yes"}));
}

}  // namespace
}  // namespace strata::analysis
