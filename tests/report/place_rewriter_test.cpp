// SPDX-License-Identifier: Apache-2.0
// Positions in texts of other programs: what is rewritten, and that nothing else changes.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "strata/source_map.hpp"

namespace strata::report {
namespace {

/// Lines 1 and 2 of `out.yaml`: `a.yaml:1:4` and `b.yaml:1:4`; line 3 is not known.
constexpr std::string_view kMap =
    R"({"version": 3, "file": "out.yaml", "sources": ["a.yaml", "b.yaml"], "names": ["/a", "/b"], "mappings": "AAAG,GAAAA;ACAA,GAAAC"})";

class Rewriting : public ::testing::Test {
 protected:
  /// In pieces of so many bytes.
  std::string rewritten(std::string_view text, std::size_t piece = 1U << 20U,
                        const std::string& name = "out.yaml") const {
    std::string out;
    const text::Sink sink = [&out](std::string_view bytes) { out += bytes; };
    PlaceRewriter rewriter(map, name);
    for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(std::min(piece, rest.size())))
      rewriter.add(rest.substr(0, piece), sink);
    rewriter.finish(sink);
    return out;
  }

  Sources sources;
  SourceMap map = SourceMap::read(sources, sources.add("out.map", std::string(kMap)), {});
};

TEST_F(Rewriting, TakesTheFirstPositionOfALine) {
  for (const std::size_t piece : {1U, 2U, 3U, 7U, 1U << 20U}) {
    const auto is = [&](std::string_view text, std::string_view want) {
      EXPECT_EQ(rewritten(text, piece), want) << piece;
    };
    is("out.yaml:1:4: bad\nout.yaml:2: worse\nother:1:1: x\n", "a.yaml:1:4: bad\nb.yaml:1:4: worse\nother:1:1: x\n");
    is("out.yaml:2:4 and out.yaml:1:1", "b.yaml:1:4 and out.yaml:1:1");
    is("./out.yaml:2: (out.yaml:1)", "b.yaml:1:4: (out.yaml:1)");
    is("at ./out.yaml:1", "at a.yaml:1:4");
    is("[out.yaml:1:2]\r\n", "[a.yaml:1:4]\r\n");
    is("\"out.yaml:1\"", "\"a.yaml:1:4\"");
    is("out.yaml out.yaml: out.yaml:1x out.yaml:2", "out.yaml out.yaml: out.yaml:1x b.yaml:1:4");
    is("out.yaml:2:\n", "b.yaml:1:4:\n");
    is("out.yaml:2:x\n", "b.yaml:1:4:x\n");
    is("out.yaml:1:1:1\n", "a.yaml:1:4:1\n");
  }
}

TEST_F(Rewriting, LeavesOtherNamesAlone) {
  for (const std::size_t piece : {1U, 5U, 1U << 20U}) {
    for (const std::string_view same : {"my-out.yaml:1\n", "out.yaml.bak:1\n", "build/out.yaml:1\n", "../out.yaml:1\n",
                                        "x.out.yaml:1", "\xC3\xA9out.yaml:1", "/./out.yaml:1", ""}) {
      EXPECT_EQ(rewritten(same, piece), same);
    }
  }
  EXPECT_EQ(rewritten("build/out.yaml:1\n", 3, "build/out.yaml"), "a.yaml:1:4\n");
}

TEST_F(Rewriting, LeavesUnknownPositionsAlone) {
  // The first position of a line counts, known or not.
  for (const std::string_view same :
       {"out.yaml:3: out.yaml:1\n", "out.yaml:0\n", "out.yaml:1:0\n", "out.yaml:99999999999999999999:1\n"}) {
    for (const std::size_t piece : {1U, 1U << 20U}) EXPECT_EQ(rewritten(same, piece), same);
  }
  EXPECT_EQ(rewritten("out.yaml:999999999999999999:1\n"), "out.yaml:999999999999999999:1\n");
  EXPECT_EQ(rewritten("out.yaml:1:999999999999999999\n"), "a.yaml:1:4\n");
}

TEST_F(Rewriting, HoldsNoWholeLines) {
  const std::string start(3'000'000, 'o');
  std::string out;
  std::size_t most = 0;
  std::size_t given = 0;
  const text::Sink sink = [&](std::string_view bytes) { out += bytes; };
  PlaceRewriter rewriter(map, "out.yaml");
  for (std::size_t at = 0; at < start.size(); at += 1000) {
    rewriter.add(std::string_view(start).substr(at, 1000), sink);
    given += 1000;
    most = std::max(most, given - out.size());
  }
  EXPECT_LE(most, 100U);
  rewriter.add(" out.yaml:2", sink);
  rewriter.finish(sink);
  EXPECT_EQ(out, start + " b.yaml:1:4");
}

RC_GTEST_PROP(RewritingAtRandom, DoesNotDependOnPieces, ()) {
  Sources sources;
  const SourceMap map = SourceMap::read(sources, sources.add("out.map", std::string(kMap)), {});
  const auto words = *rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("out.yaml", "o", "ut.yaml", ":", "1", "2:4", "3", "\n", " ", "./", ".", "/",
                                    "\xF0\x9F\x98\x80", std::string(1, '\0')));
  std::string text;
  for (const std::string& word : words) text += word;
  const auto run = [&](const auto& next_size) {
    std::string out;
    const text::Sink sink = [&out](std::string_view bytes) { out += bytes; };
    PlaceRewriter rewriter(map, "out.yaml");
    for (std::string_view rest = text; !rest.empty();) {
      const std::size_t size = std::min<std::size_t>(next_size(), rest.size());
      rewriter.add(rest.substr(0, size), sink);
      rest.remove_prefix(size);
    }
    rewriter.finish(sink);
    return out;
  };
  const std::string whole = run([&] { return text.size(); });
  RC_ASSERT(run([] { return std::size_t{1}; }) == whole);
  RC_ASSERT(run([] { return *rc::gen::inRange<std::size_t>(1, 9); }) == whole);
  // A line without a position of the file is the same.
  RC_ASSERT(std::ranges::count(whole, '\n') == std::ranges::count(text, '\n'));
  if (text.find("out.yaml:") == std::string::npos) RC_ASSERT(whole == text);
}

}  // namespace
}  // namespace strata::report
