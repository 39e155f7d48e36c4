// SPDX-License-Identifier: Apache-2.0
// What differs in files, by lines.
#include <gtest/gtest.h>

#include "analysis/edits.hpp"
#include "strata/analysis.hpp"

namespace strata::analysis {
namespace {

std::string lines_of_edits(const std::vector<Edit>& edits) {
  std::string out;
  for (const Edit& edit : edits) {
    out += edit.file + " " + std::to_string(edit.before.line) + "+" + std::to_string(edit.before.lines) + " " +
           std::to_string(edit.after.line) + "+" + std::to_string(edit.after.lines) + (edit.whole ? " whole" : "") +
           "\n";
  }
  return out;
}

std::string lines(std::size_t from, std::size_t to) {
  std::string out;
  for (; from < to; ++from) out += std::to_string(from) + "\n";
  return out;
}

TEST(LineEdits, AreTheGapsBetweenEqualLines) {
  EXPECT_EQ(lines_of_edits(line_edits("f", "a\nb\nc\n", "a\nx\nc\n")), "f 2+1 2+1\n");
  EXPECT_EQ(lines_of_edits(line_edits("f", "a\nb\n", "a\nx\ny\nb\n")), "f 2+0 2+2\n");
  EXPECT_EQ(lines_of_edits(line_edits("f", "a\nb\n", "a\n")), "f 2+1 2+0\n");
  EXPECT_EQ(lines_of_edits(line_edits("f", "a\n", "a\n")), "");
  EXPECT_EQ(lines_of_edits(line_edits("f", "", "a\n")), "f 1+0 1+1\n");
}

TEST(LineEdits, OfAsManyLinesAreOneALine) {
  EXPECT_EQ(lines_of_edits(line_edits("f", "a\nb\nc\n", "x\ny\nc\n")), "f 1+1 1+1\nf 2+1 2+1\n");
  EXPECT_EQ(lines_of_edits(line_edits("f", lines(0, 9), lines(10, 19))), "f 1+9 1+9\n");
}

TEST(LineEdits, OfWholeFiles) {
  EXPECT_EQ(lines_of_edits(line_edits("f", "a\nb", "a\nb\n")), "f 1+2 1+2 whole\n");
  EXPECT_EQ(lines_of_edits(line_edits("f", std::string("a\0b\n", 4), "a\n")), "f 1+1 1+1 whole\n");
}

TEST(LineEdits, CanBeUndoneOneByOne) {
  const std::string before = "a\nb\nc\nd\n";
  const std::string after = "a\nx\nc\ne\nd";
  for (const Edit& edit : line_edits("f", before, after)) {
    const std::string without =
        with_edit(after, edit.after.line, edit.after.lines, before, edit.before.line, edit.before.lines);
    EXPECT_EQ(line_edits("f", before, without).size() + 1, line_edits("f", before, after).size()) << without;
  }
  EXPECT_EQ(with_edit("a\nb", 3, 0, "x\ny\n", 1, 2), "a\nb\nx\ny\n");
  EXPECT_EQ(with_edit("", 1, 0, "x", 1, 1), "x");
}

}  // namespace
}  // namespace strata::analysis
