// SPDX-License-Identifier: Apache-2.0
// Many files: memory that is used again must not show in what comes of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compose_world.hpp"
#include "heat/young_generation.hpp"
#include "strata/report.hpp"

namespace strata::heat {
namespace {

/// Files with some 400 nodes each, whose values stay for different times: replaced by the next file, joined for good,
/// set once and left alone.
Texts many_files(int count, const std::string& strategies) {
  Texts files;
  for (int i = 0; i < count; ++i) {
    std::string filler;
    for (int k = 0; k < 150; ++k) filler += fmt::format("k{}: [{}, 'text {}'], ", k, i, k);
    std::string text = fmt::format(
        "parameters:\n  a: 'value {0}'\n  m: &m {{{1}only{2}: {{x: {0}, big: 12345678901234567890{0}}}}}\n  l: "
        "[i{0}]\n",
        i, filler, i % 50);
    text += fmt::format("parameter_defaults:\n  &key b: by{0}\n  m: *m\n", i);
    if (i % 97 == 0) text += fmt::format("  n: {}\n", i);
    text += fmt::format("resource_registry:\n  'A::R{}': r{}.yaml\n  'A::Same': s{}.yaml\n", i % 40, i, i);
    if (i == 0) text += strategies;
    files.emplace_back(fmt::format("e{:04}", i), text);
  }
  return files;
}

std::string blamed(const Composed& answer) {
  return report::blame_text(answer.sources, answer.composition->shown.value,
                            {.profile = nullptr, .sort_keys = false, .indent = 2});
}

TEST(YoungGeneration, MemoryThatIsUsedAgainDoesNotShow) {
  for (const std::string strategies : {"", "parameter_merge_strategies: {m: deep_merge, l: merge}\n",
                                       "parameter_merge_strategies: {m: odd, l: merge}\n"}) {
    const Asked asked{.files = many_files(400, strategies)};
    const auto plain = ask(asked);
    const auto remembered = ask(asked, true);  // With a history nothing is let go of.
    ASSERT_EQ(plain->error, "");
    EXPECT_EQ(plain->all(), remembered->all());
    EXPECT_EQ(blamed(*plain), blamed(*remembered));
    const auto updated = ask({.files = {{"last", "parameters: {a: last}"}}, .state = plain->state()});
    const auto afresh = ask({.files = {{"last", "parameters: {a: last}"}}, .state = plain->state(), .reuse = false});
    EXPECT_EQ(updated->all(), afresh->all());
  }
}

TEST(YoungGeneration, SharedNodesStayShared) {
  // Written out, the value would be a billion nodes.
  std::string text = "a0: &a0 [x]\n";
  for (int i = 1; i < 10; ++i)
    text += fmt::format("a{0}: &a{0} [*a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}]\n", i, i - 1);
  YoungGeneration young(std::make_shared<Arena>());
  Sources sources;
  const Limits limits{.aliases = 10'000'000'000, .result = 10'000'000'000};
  const Value root = text::read_yaml(sources, sources.add("e", text), text::heat(), limits, young.documents()).root;
  young.begin(100);
  const Value copy = young.keep(*root.find("a9"));
  young.clear(100);
  EXPECT_LT(young.home().bytes(), 1'000'000U);
  EXPECT_EQ(copy.size(), 8U);
  const Value& leaf =
      copy.items()[0].items()[0].items()[0].items()[0].items()[0].items()[0].items()[0].items()[0].items()[0];
  EXPECT_EQ(leaf.items()[0].text(), "x");
}

TEST(YoungGeneration, KeysOfAnyKindSurvive) {
  YoungGeneration young(std::make_shared<Arena>());
  Sources sources;
  const std::string text = "{1: a, null: b, 1.5: c, true: d, 123456789012345678901: e, t: !!set {u, v}, w: {}}";
  const Value root = text::read_yaml(sources, sources.add("e", text), text::heat(), {}, young.documents()).root;
  Arena before;
  const Value expected = before.deep_copy(root);
  young.begin(0);
  const Value copy = young.keep(root);
  young.clear(100);
  EXPECT_EQ(text::read_yaml(sources, sources.add("f", std::string(1000, ' ') + "{x: [1, 2, 'other text']}"),
                            text::heat(), {}, young.documents())
                .root.size(),
            1U);
  EXPECT_TRUE(identical(copy, expected));
}

}  // namespace
}  // namespace strata::heat
