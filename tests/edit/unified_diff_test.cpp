// SPDX-License-Identifier: Apache-2.0
// Unified diffs, read back by a reader that does what `patch` does.
#include "strata/unified_diff.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdio>
#include <sstream>
#include <vector>

namespace strata::edit {
namespace {

using Contents = std::optional<std::string>;

TEST(UnifiedDiff, HasThreeLinesOfContext) {
  EXPECT_EQ(unified_diff("f", Contents("1\n2\n3\n4\n5\n6\n7\n8\n9\n"), Contents("1\n2\n3\n4\nx\n6\n7\n8\n9\n")),
            "--- a/f\n+++ b/f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n");
}

TEST(UnifiedDiff, SaysOneLineWithoutACount) {
  EXPECT_EQ(unified_diff("f", Contents("1\n"), Contents("2\n")), "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-1\n+2\n");
}

TEST(UnifiedDiff, NamesMissingFiles) {
  EXPECT_EQ(unified_diff("d/f", {}, Contents("a: 1\n")), "--- /dev/null\n+++ b/d/f\n@@ -0,0 +1 @@\n+a: 1\n");
  EXPECT_EQ(unified_diff("d/f", Contents("a: 1\n"), {}), "--- a/d/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a: 1\n");
}

TEST(UnifiedDiff, TellsOfMissingLineBreaks) {
  EXPECT_EQ(unified_diff("f", Contents("a"), Contents("a\n")),
            "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
}

TEST(UnifiedDiff, JoinsHunksThatTouch) {
  const std::string before = "a\n1\n2\n3\n4\n5\n6\nb\n";
  EXPECT_EQ(unified_diff("f", Contents(before), Contents("A\n1\n2\n3\n4\n5\n6\nB\n")),
            "--- a/f\n+++ b/f\n@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B\n");
  EXPECT_EQ(unified_diff("f", Contents("a\n1\n2\n3\n4\n5\n6\n7\nb\n"), Contents("A\n1\n2\n3\n4\n5\n6\n7\nB\n")),
            "--- a/f\n+++ b/f\n@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n");
}

TEST(UnifiedDiff, QuotesNames) {
  EXPECT_TRUE(unified_diff("a b", Contents("1\n"), Contents("2\n")).starts_with("--- a/a b\t\n+++ b/a b\t\n"));
  EXPECT_TRUE(unified_diff("a\n\"\\", Contents("1\n"), Contents("2\n")).starts_with("--- \"a/a\\012\\\"\\\\\"\n"));
}

TEST(UnifiedDiff, IsEmptyForTheSame) { EXPECT_EQ(unified_diff("f", Contents("a\n"), Contents("a\n")), ""); }

/// `text` as the diff leaves it. Its lines must be those that the diff names.
std::string patched(const std::string& text, const std::string& diff) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  std::istringstream in(diff);
  std::string line;
  std::string out;
  std::string* last = nullptr;
  std::string removed;
  std::size_t next = 0;
  while (std::getline(in, line)) {
    if (line.starts_with("--- ") || line.starts_with("+++ ")) continue;
    if (line.starts_with("@@")) {
      std::size_t first = 0;
      std::size_t count = 1;
      if (std::sscanf(line.c_str(), "@@ -%zu,%zu", &first, &count) == 0)
        throw std::runtime_error(line);  // NOLINT(cert-err34-c)
      for (const std::size_t begin = count == 0 ? first : first - 1; next < begin; ++next) out += lines.at(next);
    } else if (line.starts_with('\\')) {
      last->pop_back();
    } else if (line.starts_with('+')) {
      out += line.substr(1) + '\n';
      last = &out;
    } else {
      removed = line.substr(1) + '\n';
      if (removed != lines.at(next) && removed != lines.at(next) + '\n')
        throw std::runtime_error("no such line: " + line);
      if (line.starts_with(' ')) out += lines.at(next);
      last = &removed;
      ++next;
      // A context line without a break has it neither before nor after.
      if (line.starts_with(' ') && !out.ends_with('\n')) last = &removed;
    }
  }
  for (; next < lines.size(); ++next) out += lines[next];
  return out;
}

RC_GTEST_PROP(UnifiedDiff, GivesTheNewText, ()) {
  const auto text = rc::gen::resize(
      40, rc::gen::container<std::string>(rc::gen::weightedElement<char>({{4, '\n'}, {2, 'a'}, {1, 'b'}})));
  const std::string before = *text;
  const std::string after = *text;
  RC_ASSERT(patched(before, unified_diff("f", before, after)) == after);
}

}  // namespace
}  // namespace strata::edit
