// SPDX-License-Identifier: Apache-2.0
#include "strata/sample.hpp"

#include <gtest/gtest.h>

#include "strata/text.hpp"
#include "support/expect_error.hpp"
#include "support/sessions.hpp"

namespace strata::sample {
namespace {

TEST(Sample, LaterFilesOverrideEarlierOnes) {
  Session session = testing::test_session({{"weak.yaml", "a: 1\nm: {k: 1, l: 1}\n"}, {"strong.yaml", "m: {k: 2}\n"}});
  const Result result = resolve({.files = {"weak.yaml", "strong.yaml"}}, session);
  EXPECT_EQ(text::write_json(result.merged.value, {.indent = -1}), "{\"a\": 1, \"m\": {\"k\": 2, \"l\": 1}}\n");
}

TEST(Sample, HistoriesNameTheFiles) {
  Session session =
      testing::test_session({{"weak.yaml", "a: 1\n"}, {"strong.yaml", "a: 2\n"}}, {.keeps_history = true});
  const Result result = resolve({.files = {"weak.yaml", "strong.yaml"}}, session);
  const merge::History& history = *session.recorder().history();
  const auto paths = history.explain(result.merged);
  ASSERT_EQ(paths.size(), 1U);
  ASSERT_EQ(paths[0].contributions.size(), 2U);
  EXPECT_EQ(history.layer_name(paths[0].contributions[0].layer), "weak.yaml");
  EXPECT_EQ(paths[0].contributions[0].fate, merge::Fate::shadowed);
  EXPECT_EQ(paths[0].contributions[1].fate, merge::Fate::won);
}

TEST(Sample, WhatIsNoLayer) {
  Session session = testing::test_session({{"list.yaml", "[1]\n"}, {"empty.yaml", ""}, {"broken.yaml", "a: ["}});
  const auto ask = [&session](const std::string& file) {
    return resolve({.files = {file}}, session).merged.value.size();
  };
  STRATA_EXPECT_ERROR(ask("gone.yaml"), "sample.missing");
  STRATA_EXPECT_ERROR(ask("list.yaml"), "sample.root");
  STRATA_EXPECT_ERROR(ask("broken.yaml"), "yaml.syntax");
  EXPECT_EQ(ask("empty.yaml"), 0U);
}

TEST(Sample, TheLimitCountsAllFiles) {
  Limits limits;
  limits.result = 5;
  Session session = testing::test_session({{"b.yaml", "a: 1\nb: 2\n"}}, {.limits = limits});
  EXPECT_EQ(resolve({.files = {"b.yaml"}}, session).merged.value.size(), 2U);
  STRATA_EXPECT_ERROR(resolve({.files = {"b.yaml", "b.yaml"}}, session), "limit.result");
}

}  // namespace
}  // namespace strata::sample
