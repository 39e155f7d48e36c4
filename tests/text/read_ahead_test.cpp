// SPDX-License-Identifier: Apache-2.0
// Reading ahead: whichever thread reads a text, its document and its error are the same.
#include "text/yaml/read_ahead.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "strata/error.hpp"
#include "strata/stop.hpp"
#include "support/threads.hpp"
#include "text/compare_yaml_readings.hpp"

namespace strata::text {
namespace {

using Nodes = ReadAhead::Nodes;
using strata::testing::AtOnce;
using strata::testing::NoThreads;
using strata::testing::Threads;

/// Texts of uneven sizes, some of them wrong, enough of them for threads.
std::vector<std::string> contents_of_files() {
  std::vector<std::string> out;
  for (int i = 0; i < 60; ++i) {
    std::string text = "name: text" + std::to_string(i) + "\nbase: &b {k: v}\ncopy: *b\nlist:\n";
    for (int k = 0; k < (i % 7) * 150 + 20; ++k)
      text +=
          "  - {key" + std::to_string(k % 50) + ": 'value " + std::to_string(k) + "', n: " + std::to_string(k) + "}\n";
    if (i % 11 == 5) text += "wrong: [\n";
    if (i % 13 == 6) text += "wrong: *nowhere\n";
    if (i % 17 == 8) text += "? [a]\n: b\n";
    out.push_back(std::move(text));
  }
  return out;
}

/// The documents of some of the files, one after the other. `wanted`: whether a file is taken.
template <class Wanted>
std::string read_all(std::shared_ptr<Executor> executor, Nodes nodes, const Limits& limits, const Wanted& wanted) {
  static const std::vector<std::string> all = contents_of_files();
  Sources sources;
  std::vector<SourceId> ids;
  for (std::size_t i = 0; i < all.size(); ++i) ids.push_back(sources.add("f" + std::to_string(i), all[i]));
  DocumentPool pool(std::make_shared<Arena>());
  std::vector<Document> kept;
  std::shared_ptr<const void> memory;
  std::string out;
  {
    ReadAhead ahead(std::move(executor), sources, pyyaml(), limits, nodes);
    ahead.expect(ids);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (!wanted(i)) continue;
      try {
        kept.push_back(ahead.take(ids[i], pool));
      } catch (const Error& error) {
        out += format(error.diagnostic(), "error");
      }
      memory = ahead.memory();
    }
  }
  // When the threads are gone.
  for (const Document& document : kept) {
    out += std::to_string(document.nodes) + ' ';
    testing::describe_nodes(sources, document.root, out);
    out += '\n';
  }
  return out;
}

TEST(ReadAhead, GivesTheSameWithAnyThreads) {
  const auto every = [](std::size_t) { return true; };
  const Limits limits;
  const std::string expected = read_all(nullptr, Nodes::together, limits, every);
  EXPECT_NE(expected.find("error"), std::string::npos);
  for (const Nodes nodes : {Nodes::together, Nodes::apart}) {
    EXPECT_EQ(read_all(std::make_shared<NoThreads>(), nodes, limits, every), expected);
    EXPECT_EQ(read_all(std::make_shared<AtOnce>(), nodes, limits, every), expected);
    for (int round = 0; round < 8; ++round) {
      for (const std::size_t width : {1U, 2U, 8U})
        EXPECT_EQ(read_all(std::make_shared<Threads>(width), nodes, limits, every), expected);
    }
  }
}

TEST(ReadAhead, MayLeaveTextsOut) {
  const Limits limits;
  for (const std::size_t step : {2U, 7U, 59U}) {
    const auto some = [step](std::size_t i) { return i % step == 0; };
    const std::string expected = read_all(nullptr, Nodes::apart, limits, some);
    EXPECT_EQ(read_all(std::make_shared<Threads>(2), Nodes::apart, limits, some), expected);
    EXPECT_EQ(read_all(std::make_shared<Threads>(2), Nodes::together, limits, some), expected);
  }
}

TEST(ReadAhead, ReadsAgainWhatIsAskedForTwiceOrBackwards) {
  Sources sources;
  std::vector<SourceId> ids;
  for (const std::string& text : contents_of_files()) ids.push_back(sources.add("f", text));
  DocumentPool pool(std::make_shared<Arena>());
  const Limits limits;
  ReadAhead ahead(std::make_shared<Threads>(2), sources, pyyaml(), limits, Nodes::together);
  ahead.expect(ids);
  for (const std::size_t i : {3U, 3U, 20U, 1U, 20U, 40U, 0U}) {
    const Document found = ahead.take(ids[i], pool);
    const Document expected = read_yaml(sources, ids[i], pyyaml(), limits);
    EXPECT_TRUE(identical(found.root, expected.root)) << i;
  }
}

TEST(ReadAhead, EndsWithTheRequest) {
  Sources sources;
  std::vector<SourceId> ids;
  for (const std::string& text : contents_of_files()) ids.push_back(sources.add("f", text));
  Stop stop;
  Limits limits;
  limits.stop = &stop;
  for (int round = 0; round < 20; ++round) {
    // Reads that are not taken, at once or after a while.
    ReadAhead ahead(std::make_shared<Threads>(3), sources, pyyaml(), limits,
                    round % 2 == 0 ? Nodes::together : Nodes::apart);
    ahead.expect(ids);
    DocumentPool pool(std::make_shared<Arena>());
    for (int i = 0; i < round / 4; ++i) (void)ahead.take(ids[static_cast<std::size_t>(i)], pool);
  }
}

TEST(ReadAhead, LeavesSmallInputToTheCaller) {
  Sources sources;
  const std::vector<SourceId> ids{sources.add("a", "{a: 1}"), sources.add("b", "{b: 1}")};
  const Limits limits;
  ReadAhead ahead(std::make_shared<NoThreads>(), sources, pyyaml(), limits, Nodes::together);
  ahead.expect(ids);
  EXPECT_EQ(ahead.memory(), nullptr);
}

}  // namespace
}  // namespace strata::text
