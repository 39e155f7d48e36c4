// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "analysis/glob.hpp"

namespace strata::analysis {
namespace {

struct Row {
  const char* glob;
  const char* name;
  bool matches;
};

TEST(Glob, MatchesWholeNames) {
  for (const Row& row : {Row{"a", "a", true},
                         {"a", "ab", false},
                         {"", "", true},
                         {"*", "", true},
                         {"*", "a", true},
                         {"*", "a/b", false},
                         {"a*c", "abbc", true},
                         {"a*b*c", "aXbXbc", true},
                         {"a*b*c", "aXbX", false},
                         {"?", "\xC3\xA9", true},
                         {"?", "ab", false},
                         {"[a-c]x", "bx", true},
                         {"[!a-c]x", "bx", false},
                         {"[!a-c]x", "dx", true},
                         {"[]]", "]", true},
                         {"[!]]", "]", false},
                         {"[a-]", "-", true},
                         {"[\xC3\xA0-\xC3\xBC]", "\xC3\xA9", true},
                         {"\\*", "*", true},
                         {"\\*", "a", false},
                         {"**", "a/b", true},
                         {"a/**", "a/b/c", true},
                         {"a/**/c", "a/c", true},
                         {"a/**/c", "a/b/b/c", true},
                         {"a/**/c", "a/b/cc", false},
                         {"**/c/**/e", "a/c/d/c/e", true},
                         {"/port", "/port", true},
                         {"/**", "", true}}) {
    EXPECT_EQ(glob_matches(row.glob, row.name), row.matches) << row.glob << " " << row.name;
  }
}

TEST(Glob, TellsMistakes) {
  EXPECT_EQ(glob_mistake("a/**/[!a]*?\\["), "");
  EXPECT_EQ(glob_mistake(""), "it is empty");
  EXPECT_EQ(glob_mistake("a/[b/c]"), "a '[' has no ']'");
  EXPECT_EQ(glob_mistake("[]"), "a '[' has no ']'");
  EXPECT_EQ(glob_mistake("a**"), "'**' must stand alone between slashes");
  EXPECT_EQ(glob_mistake("a\\"), "nothing follows the last '\\'");
}

TEST(Glob, CostsAtMostTheProductOfTheSizes) {
  std::string glob;
  for (int i = 0; i < 200; ++i) glob += "a*";
  EXPECT_FALSE(glob_matches(glob + "b", std::string(5000, 'a')));
  std::string folders;
  for (int i = 0; i < 200; ++i) folders += "**/a/";
  std::string name;
  for (int i = 0; i < 2000; ++i) name += "a/";
  EXPECT_FALSE(glob_matches(folders + "b", name));
}

}  // namespace
}  // namespace strata::analysis
