// SPDX-License-Identifier: Apache-2.0
#include "strata/gated_host.hpp"

#include <gtest/gtest.h>

#include "strata/limits.hpp"
#include "strata/process_host.hpp"

namespace strata {
namespace {

GatedHost gated(const Limits& limits, Permissions permissions, OnRefusal on_refusal = OnRefusal::leave_out) {
  return {process_host(limits, {.allow_network = true, .plugin_host = "/bin/true"}), permissions, on_refusal};
}

Refusal refusal(Refusal::Kind kind, std::string what, std::uint32_t line) {
  Refusal out{.kind = kind, .what = std::move(what)};
  out.where.place.file = "strata.yaml";
  out.where.place.line = line;
  return out;
}

TEST(GatedHost, GivesOnlyWhatIsAllowed) {
  const Limits limits;
  for (const bool programs : {false, true}) {
    for (const bool network : {false, true}) {
      GatedHost host = gated(limits, {.programs = programs, .network = network});
      EXPECT_EQ(host.programs() != nullptr, programs);
      EXPECT_EQ(host.plugins() != nullptr, programs);
      EXPECT_EQ(host.http() != nullptr, network);
      EXPECT_EQ(host.network() != nullptr, network);
      EXPECT_NE(host.files(), nullptr);
    }
  }
}

TEST(GatedHost, OneWarningNamesEachRefusalOnce) {
  const Limits limits;
  GatedHost host = gated(limits, {});
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(host.leaves_out(refusal(Refusal::Kind::program, "the ENC a is not run", 2)));
    EXPECT_TRUE(host.leaves_out(refusal(Refusal::Kind::server, "PuppetDB is not queried", 3)));
  }
  ASSERT_EQ(host.refusals().size(), 2U);
  EXPECT_EQ(
      format(refusal_warning(host.refusals()), "warning"),
      "strata.yaml:2: warning: left out, because files of a repository allow nothing: the ENC a is not run; PuppetDB "
      "is not queried [host.left-out]\n"
      "strata.yaml:3: note: PuppetDB is not queried\n"
      "hint: if you trust these files, allow it with --allow-programs and --allow-network on the command line\n");
}

TEST(GatedHost, ReportsAtOnce) {
  const Limits limits;
  GatedHost host = gated(limits, {});
  std::size_t count = 0;
  host.report_to([&count](const Refusal& /*refusal*/) { ++count; });
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(host.leaves_out(refusal(Refusal::Kind::program, "x", 1)));
  EXPECT_EQ(count, 1U);
}

TEST(GatedHost, FailsWhereResultsAreUsed) {
  const Limits limits;
  GatedHost host = gated(limits, {}, OnRefusal::fail);
  EXPECT_FALSE(host.leaves_out(refusal(Refusal::Kind::program, "x", 1)));
  EXPECT_TRUE(host.refusals().empty());
  EXPECT_EQ(host.way_to_allow(Refusal::Kind::server), "allow it with --allow-network");
}

}  // namespace
}  // namespace strata
