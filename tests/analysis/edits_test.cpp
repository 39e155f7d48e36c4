// What differs in files, by lines.
#include <gtest/gtest.h>

#include <memory>

#include "strata/analysis.hpp"
#include "strata/file_tree.hpp"

namespace strata::analysis {
namespace {

std::string shown(const std::vector<Edit>& edits) {
  std::string out;
  for (const Edit& edit : edits) {
    out += edit.file + " " + std::to_string(edit.before.line) + "+" + std::to_string(edit.before.lines) + " " + std::to_string(edit.after.line) +
           "+" + std::to_string(edit.after.lines) + (edit.whole ? " whole" : "") + "\n";
  }
  return out;
}

std::string lines(std::size_t from, std::size_t to) {
  std::string out;
  for (; from < to; ++from) out += std::to_string(from) + "\n";
  return out;
}

TEST(LineEdits, AreTheGapsBetweenEqualLines) {
  EXPECT_EQ(shown(line_edits("f", "a\nb\nc\n", "a\nx\nc\n")), "f 2+1 2+1\n");
  EXPECT_EQ(shown(line_edits("f", "a\nb\n", "a\nx\ny\nb\n")), "f 2+0 2+2\n");
  EXPECT_EQ(shown(line_edits("f", "a\nb\n", "a\n")), "f 2+1 2+0\n");
  EXPECT_EQ(shown(line_edits("f", "a\n", "a\n")), "");
  EXPECT_EQ(shown(line_edits("f", "", "a\n")), "f 1+0 1+1\n");
}

TEST(LineEdits, OfAsManyLinesAreOneALine) {
  EXPECT_EQ(shown(line_edits("f", "a\nb\nc\n", "x\ny\nc\n")), "f 1+1 1+1\nf 2+1 2+1\n");
  EXPECT_EQ(shown(line_edits("f", lines(0, 9), lines(10, 19))), "f 1+9 1+9\n");
}

TEST(LineEdits, OfWholeFiles) {
  EXPECT_EQ(shown(line_edits("f", "a\nb", "a\nb\n")), "f 1+2 1+2 whole\n");
  EXPECT_EQ(shown(line_edits("f", std::string("a\0b\n", 4), "a\n")), "f 1+1 1+1 whole\n");
}

TEST(Edits, AreThoseOfFilesThatWereRead) {
  const auto log = std::make_shared<ReadLog>();
  const auto before = logged_tree(memory_tree({{"/w/read.yaml", "a\n"}, {"/w/other.yaml", "a\n"}, {"/w/d/gone.yaml", "1\n2\n"}}), "/w", log);
  const auto after =
      logged_tree(memory_tree({{"/w/read.yaml", "b\n"}, {"/w/other.yaml", "b\n"}, {"/w/d/new.yaml", "x\n"}, {"/v/far", "1\n"}}), "/w", log);
  EXPECT_EQ(shown(edits(*before, *after, *log, "/w")), "");
  (void)before->read("read.yaml");
  (void)after->kind("/v/far");
  (void)after->list("d");
  EXPECT_EQ(shown(edits(*before, *after, *log, "/w")),
            "/v/far 1+0 1+1 whole\nd/gone.yaml 1+2 1+0 whole\nd/new.yaml 1+0 1+1 whole\nread.yaml 1+1 1+1\n");
}

}  // namespace
}  // namespace strata::analysis
