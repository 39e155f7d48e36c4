// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "comments_mistake.hpp"
#include "compare_yaml_readings.hpp"

namespace strata::text {
namespace {

using testing::Commented;

std::vector<std::string> found(const std::string& text, Commented syntax = Commented::yaml) {
  Sources sources;
  const SourceId source = sources.add("f", text);
  std::vector<std::string> out;
  const std::size_t documents = testing::documents_of(sources, source, syntax, psych(), {}).size();
  for (const Stretch& one : testing::comments_of(sources, source, syntax, psych(), {}, documents))
    out.push_back(text.substr(one.begin, one.end - one.begin));
  return out;
}

using Texts = std::vector<std::string>;

TEST(YamlComments, AreThoseOutsideTexts) {
  EXPECT_EQ(found("# a\nk: v # b\n\n  # c\n---\n"), (Texts{"# a", "# b", "# c"}));
  EXPECT_EQ(found("k: 'a # b' # c\nl: \"# d\\\n  # e\" # f\n"), (Texts{"# c", "# f"}));
  EXPECT_EQ(found("k: a#b\n"), Texts{});
  EXPECT_EQ(found("k: a\n  #b\n"), (Texts{"#b"}));
  EXPECT_EQ(found("k: [a, # b\n  'c'# d\n] # e\r\nl: {} # f\r"), (Texts{"# b", "# d", "# e", "# f"}));
  EXPECT_EQ(found("\xEF\xBB\xBF# a\nk: v"), (Texts{"# a"}));
  EXPECT_EQ(found(""), Texts{});
  EXPECT_EQ(found("# a"), (Texts{"# a"}));
}

TEST(YamlComments, StandBehindTheHeaderOfABlockScalar) {
  EXPECT_EQ(found("k: | # a\n  # b\n  c\n # d\nl: >-2\n   # e\n\n# f\n"), (Texts{"# a", "# d", "# f"}));
  EXPECT_EQ(found("k: |+\n  a\n\n  # b\n"), Texts{});
}

TEST(YamlComments, StandBetweenPropertiesAndNodes) {
  EXPECT_EQ(found("k: &a # c\n  v\nl: *a # d\nm: !t # e\nn: &o # f\n  p: 1\n"), (Texts{"# c", "# d", "# e", "# f"}));
  EXPECT_EQ(found("k: !<tag:x> # a\n  [1]\n"), (Texts{"# a"}));
}

TEST(YamlComments, EndAtEveryLineBreakOfYaml) {
  EXPECT_EQ(found("# a\xC2\x85k: v # b\xE2\x80\xA8l: |# c\xE2\x80\xA9  # d\n"), (Texts{"# a", "# b", "# c"}));
  EXPECT_EQ(found("# \xC3\xA9\xE2\x80\xA6\nk: &a # b\xC2\x85  v # c\n"),
            (Texts{"# \xC3\xA9\xE2\x80\xA6", "# b", "# c"}));
  EXPECT_EQ(found("k: &a\xE2\x80\xA8 # b\n  v # c\n"), (Texts{"# b", "# c"}));
}

TEST(YamlComments, BehindTheLastDocumentAreNotLookedFor) { EXPECT_EQ(found("k: v # a\n...\n] # b\n"), (Texts{"# a"})); }

TEST(JsonComments, AreThoseOutsideTexts) {
  EXPECT_EQ(found("// a\n{\"k\": \"// b \\\" // c\", /* d\n */ \"l\": 1} // e\n", Commented::json),
            (Texts{"// a\n", "/* d\n */", "// e\n"}));
  EXPECT_EQ(found("{} // a\n", Commented::json), (Texts{"// a\n"}));
}

TEST(HoconComments, AreThoseOutsideTexts) {
  EXPECT_EQ(found("# a\nk = \"# b\" // c\nl = \"\"\"# d\"\"\", m = n # e", Commented::hocon),
            (Texts{"# a", "// c", "# e"}));
}

RC_GTEST_PROP(Comments, MeanNothing, ()) {
  static const std::array<std::string, 31> kPieces{
      "#",   " #", "# a", "\n", "\n  ", " ",  "k: ", "- ",  "|",   ">-\n", "'",   "\"", "[", "]",  "{",     "}",
      "// ", "/*", "*/",  ", ", "v",    "&a", "*a ", "!t ", "---", "\r\n", "...", ": ", "=", "\\", "\"k\":"};
  const auto syntax = *rc::gen::element(Commented::yaml, Commented::json, Commented::hocon);
  const Profile& profile = *find_profile(*rc::gen::elementOf(testing::kProfiles));
  std::string text;
  for (const std::string& piece : *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kPieces)))
    text += piece;
  try {
    RC_ASSERT(testing::comments_mistake(text, syntax, profile, {}) == std::string());
  } catch (const Error&) {
    RC_SUCCEED("it cannot be read");
  }
}

}  // namespace
}  // namespace strata::text
