#include "strata/error.hpp"

#include <gtest/gtest.h>

namespace strata {
namespace {

TEST(Error, PrintsAsACompilerDoes) {
  Sources sources;
  const SourceId strong = sources.add("node/web01.yaml", "profile:\n  ntp:\n  - 10.0.0.1\n");
  const SourceId weak = sources.add("common.yaml", "profile: {ntp: {server: x}}\n");
  const Error error = Error("merge.kind-mismatch", "cannot merge a sequence into a mapping at /profile/ntp")
                          .at(sources, sources.at(strong, 18))
                          .note(sources, sources.at(weak, 15), "the weaker value is a mapping")
                          .hint("keep one shape");
  EXPECT_EQ(format(error.diagnostic(), "error"),
            R"(node/web01.yaml:3:3: error: cannot merge a sequence into a mapping at /profile/ntp [merge.kind-mismatch]
    3 |   - 10.0.0.1
      |   ^
common.yaml:1:16: note: the weaker value is a mapping
    1 | profile: {ntp: {server: x}}
      |                ^
hint: keep one shape
)");
  EXPECT_EQ(error.code(), "merge.kind-mismatch");
  EXPECT_STREQ(error.what(), "cannot merge a sequence into a mapping at /profile/ntp");
}

TEST(Error, PrintsWithoutAPlace) {
  EXPECT_EQ(format(Error("a.b", "nothing works").diagnostic(), "error"), "error: nothing works [a.b]\n");
  EXPECT_EQ(format(Error("a.b", "nothing works").in("x.yaml").diagnostic(), "error"), "x.yaml: error: nothing works [a.b]\n");
}

TEST(Error, PrintsNamesAndPartsWithoutALine) {
  Sources sources;
  const SourceId mail = sources.add("mail", "a\n");
  const SourceId part = sources.add_decoded(mail, "part-001", "k: v");
  EXPECT_EQ(format(Error("c.d", "bad").at(sources, sources.at(part, 3)).diagnostic(), "warning"),
            "mail[part-001]:1:4: warning: bad [c.d]\n    1 | k: v\n      |    ^\n");
  EXPECT_EQ(format(Error("c.d", "bad").at(sources, sources.add_name("<parameter>")).diagnostic(), "error"), "<parameter>: error: bad [c.d]\n");
}

TEST(Error, CaretsCountCodePointsAndHideControlCharacters) {
  Sources sources;
  const SourceId source = sources.add("a", "\t\xC3\xA4\x1B[31m x\n");
  EXPECT_EQ(format(Error("c.d", "bad").at(sources, sources.at(source, 9)).diagnostic(), "error"),
            "a:1:9: error: bad [c.d]\n    1 |  \xC3\xA4.[31m x\n      |         ^\n");
}

TEST(Error, LongLinesAreCutAroundTheColumn) {
  Sources sources;
  std::string line(5000, 'a');
  line[2500] = 'X';
  const SourceId source = sources.add("a", line);
  const std::string text = format(Error("c.d", "bad").at(sources, sources.at(source, 2500)).diagnostic(), "error");
  EXPECT_LT(text.size(), 500U);
  const std::size_t shown = text.find("    1 | ");
  const std::size_t caret = text.find("      | ");
  ASSERT_NE(caret, std::string::npos);
  EXPECT_EQ(text.find('X') - shown, text.find('^') - caret);
}

TEST(Error, SecretLinesAreNotShown) {
  Sources sources;
  const SourceId source = sources.add("a", "password: hunter2\n");
  sources.mark_secret(source);
  EXPECT_EQ(format(Error("c.d", "bad").at(sources, sources.at(source, 10)).diagnostic(), "error"), "a:1:11: error: bad [c.d]\n");
}

TEST(Error, AnErrorMayBeGivenMoreInPlace) {
  Sources sources;
  const SourceId source = sources.add("f", "one\n");
  Error error = Error("a.code", "a message that is longer than a small text").at(sources, sources.at(source, 0)).hint("a hint");
  error = std::move(error).note(sources, sources.at(source, 1), "here");
  EXPECT_EQ(error.code(), "a.code");
  EXPECT_STREQ(error.what(), "a message that is longer than a small text");
  ASSERT_EQ(error.diagnostic().notes.size(), 1U);
  EXPECT_EQ(error.diagnostic().notes[0].message, "here");
  EXPECT_EQ(error.diagnostic().hint, "a hint");
}

TEST(Diagnostics, KeepTheirOrder) {
  Diagnostics diagnostics;
  diagnostics.warn("a.b", "first", "a hint");
  diagnostics.warn("a.a", "second");
  ASSERT_EQ(diagnostics.warnings().size(), 2U);
  EXPECT_EQ(format(diagnostics.warnings()[0], "warning"), "warning: first [a.b]\nhint: a hint\n");
  EXPECT_EQ(diagnostics.warnings()[1].code, "a.a");
}

}  // namespace
}  // namespace strata
