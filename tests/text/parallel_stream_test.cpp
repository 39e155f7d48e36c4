// SPDX-License-Identifier: Apache-2.0
// Large streams: read on several threads, they are what one thread reads.
#include "text/yaml/parallel_stream.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "strata/error.hpp"
#include "support/threads.hpp"
#include "text/compare_yaml_readings.hpp"

namespace strata::text {
namespace {

constexpr std::size_t kLeast = std::size_t{1} << 16U;

std::string filler(int from, int to) {
  std::string out;
  for (int i = from; i < to; ++i) {
    const std::string n = std::to_string(i);
    out += "---\nname: &n document" + n + "\ncopy: *n\ndata: {list: [1, two, '" + n + "']}\n";
    out += "text: |\n  line " + n + "\n  ---\n  more\n# a comment\n";
  }
  return out;
}

/// The documents, with places and marks; up to the error, which comes alone.
std::string stream_reading(const std::string& text, const std::shared_ptr<Executor>& executor, const Profile& profile) {
  Sources sources;
  const SourceId source = sources.add("f", text);
  DocumentPool pool(std::make_shared<Arena>());
  std::string out;
  try {
    const Limits limits;
    for (const Document& document : read_yaml_stream(executor, sources, source, profile, limits, pool, kLeast)) {
      out += "--- " + sources.place(document.origin).to_string() + " " + std::to_string(document.nodes) + " ";
      testing::describe_nodes(sources, document.root, out);
      out += '\n';
    }
  } catch (const Error& error) {
    out = format(error.diagnostic(), "error");
  }
  return out;
}

/// Streams of a few parts, with something special in the middle.
std::vector<std::string> streams() {
  const std::string before = filler(0, 900);
  const std::string behind = filler(900, 1500);
  std::vector<std::string> out;
  for (const char* const middle : {"",
                                   "---\n",
                                   "---\n---\n--- # nothing\n",
                                   "--- {a: 1}\n--- [b]\n--- text\n",
                                   "---x: 1\n",
                                   "----\n",
                                   "---\na: '\n---\n'\n",
                                   "---\n? [a]\n: b\n",
                                   "---\na: *nowhere\n",
                                   "---\na: [\n",
                                   "...\n",
                                   "---\na: 1\n...\n---\nb: 2\n",
                                   "---\n%YAML 1.1\n",
                                   "---\na:\tb\n",
                                   "---\na: b\r\n",
                                   "--- |\n text\n",
                                   "--- >\n\n\n",
                                   "---\n&n a: *n\n",
                                   "---\na: 1\na: 2\n",
                                   "---\na: \xFF\n"}) {
    out.push_back(before + middle + behind);
    out.push_back("first: 1\n" + before + behind + middle);
    out.push_back(middle + before);
  }
  return out;
}

TEST(ParallelStream, GivesTheDocumentsOfOneThread) {
  const std::vector<std::shared_ptr<Executor>> executors{std::make_shared<strata::testing::NoThreads>(),
                                                         std::make_shared<strata::testing::AtOnce>(),

                                                         std::make_shared<strata::testing::Threads>(7)};
  for (const std::string& text : streams()) {
    ASSERT_GT(text.size(), kLeast);
    for (const Profile* profile : {&pyyaml_json(), &core12()}) {
      const std::string expected = stream_reading(text, nullptr, *profile);
      for (const auto& executor : executors)
        EXPECT_TRUE(stream_reading(text, executor, *profile) == expected)
            << text.substr(0, 40) << expected.substr(0, 400);
    }
  }
}

TEST(ParallelStream, LeavesTheOtherProfilesAlone) {
  const std::string text = filler(0, 8000);
  EXPECT_EQ(stream_reading(text, std::make_shared<strata::testing::Threads>(2), psych()),
            stream_reading(text, nullptr, psych()));
}

}  // namespace
}  // namespace strata::text
