// SPDX-License-Identifier: Apache-2.0
// Subjects that change alike.
#include <gtest/gtest.h>

#include <limits>

#include "compact_json.hpp"
#include "strata/analysis.hpp"
#include "strata/error.hpp"
#include "strata/text.hpp"

namespace strata::analysis {
namespace {

Change change(const std::string& path, std::int64_t before, std::int64_t after, const std::string& file) {
  const Place place{.file = file, .part = {}, .line = 1, .column = 2, .via = {}};
  return {.item = "k",
          .path = path,
          .kind = ChangeKind::changed,
          .before = {.value = Value::integer(before), .place = place},
          .after = {.value = Value::integer(after), .place = place}};
}

void add(Effects& effects, const std::string& subject, std::vector<Change> changes) {
  effects.add({.subject = subject, .changes = shared(std::move(changes))});
}

void fill_effects(Effects& effects) {
  add(effects, "lone", {change("/a", 1, 2, "x")});
  add(effects, "first", {change("/a", 1, 3, "x"), change("/b", 1, 2, "x")});
  add(effects, "same", {});
  add(effects, "second", {change("/a", 1, 3, "y"), change("/b", 1, 2, "y")});
}

TEST(Effects, GroupWithoutPlaces) {
  ImpactReport report;
  Effects& effects = report.effects;
  fill_effects(effects);
  EXPECT_EQ(impact_text(report, {.subject = "node"}),
            "3 of 4 nodes change: 2 distinct effects\n"
            "\neffect 1: 2 nodes: first, second\n"
            "  ~ k/a: 1 -> 3\n      was  x:1:2\n      now  x:1:2\n"
            "  ~ k/b: 1 -> 2\n      was  x:1:2\n      now  x:1:2\n"
            "\neffect 2: 1 node: lone\n"
            "  ~ k/a: 1 -> 2\n      was  x:1:2\n      now  x:1:2\n");
}

TEST(Effects, ByChangeAndByPath) {
  Effects by_change(GroupBy::change);
  fill_effects(by_change);
  ASSERT_EQ(by_change.sorted().size(), 3U);
  EXPECT_EQ(by_change.sorted()[0]->subjects.first(9), (std::vector<std::string>{"first", "second"}));
  EXPECT_EQ(by_change.sorted()[2]->subjects.first(9), std::vector<std::string>{"lone"});
  ImpactReport report{.effects = Effects(GroupBy::path)};
  Effects& by_path = report.effects;
  fill_effects(by_path);
  add(by_path, "third", {change("/a", 7, 8, "x")});
  ASSERT_EQ(by_path.sorted().size(), 2U);
  EXPECT_EQ(by_path.sorted()[0]->subjects.first(9), (std::vector<std::string>{"lone", "third"}));
  Arena arena;
  EXPECT_NE(json(impact_data(arena, report)).find("\"example\": true"), std::string::npos);
}

TEST(Effects, AreBounded) {
  ImpactReport report{.effects = Effects(GroupBy::effect, 1)};
  Effects& effects = report.effects;
  fill_effects(effects);
  Arena arena;
  EXPECT_EQ(effects.more_subjects(), 2U);
  EXPECT_NE(
      json(impact_data(arena, report)).find("\"truncated\": true, \"more\": {\"effects\": null, \"subjects\": 2}}"),
      std::string::npos);
}

TEST(Effects, AreWrittenInPieces) {
  const auto expect_same = [](const ImpactReport& report, std::size_t names) {
    Arena arena;
    std::string written;
    write_impact(report, names, false, [&written](std::string_view piece) { written += piece; });
    EXPECT_EQ(written, text::write_json(impact_data(arena, report, names)));
  };
  expect_same({}, 0);
  ImpactReport report{.effects = Effects(GroupBy::path), .edits = {{.file = "a", .before = {1, 1}, .after = {1, 2}}}};
  fill_effects(report.effects);
  expect_same(report, 0);
  expect_same(report, 1);
  ImpactReport cut{.effects = Effects(GroupBy::effect, 1)};
  fill_effects(cut.effects);
  expect_same(cut, 0);
  std::size_t pieces = 0;
  ImpactReport large;
  for (int i = 0; i < 2'000; ++i)
    add(large.effects, "n" + std::to_string(i), {change("/" + std::to_string(i), i, i + 1, "x")});
  write_impact(large, 0, false, [&pieces](std::string_view /*piece*/) { ++pieces; });
  EXPECT_GT(pieces, 4U);
  expect_same(large, 0);
  std::string marked;
  write_impact({}, 0, true, [&marked](std::string_view piece) { marked += piece; });
  EXPECT_TRUE(marked.ends_with("\"truncated\": false,\n  \"assumed\": true\n}\n")) << marked;
  // Nothing is written where something has no JSON.
  ImpactReport infinite;
  Change worst = change("/a", 1, 2, "x");
  worst.after.value = Value::floating(std::numeric_limits<double>::infinity());
  add(infinite.effects, "n", {worst});
  EXPECT_THROW(write_impact(infinite, 0, false, [](std::string_view /*piece*/) { FAIL(); }), Error);
}

TEST(Effects, TextIsBounded) {
  ImpactReport report;
  Effects& effects = report.effects;
  for (int i = 0; i < 150; ++i) {
    std::vector<Change> changes;
    for (int k = 0; k < 60; ++k) changes.push_back(change("/" + std::to_string(k), i, i + 1, "x"));
    add(effects, "n" + std::to_string(i), std::move(changes));
  }
  const std::string text = impact_text(report, {});
  EXPECT_NE(text.find("  … and 10 more changes\n"), std::string::npos);
  EXPECT_NE(text.find("\n… and 50 more effects\n"), std::string::npos);
  EXPECT_EQ(text.find("effect 101"), std::string::npos);
}

TEST(Effects, NamesAreBounded) {
  ImpactReport report;
  Effects& effects = report.effects;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g"}) add(effects, name, {change("/a", 1, 2, "x")});
  EXPECT_NE(impact_text(report, {}).find("effect 1: 7 nodes: a, b, c, d, e and 2 more\n"), std::string::npos);
  EXPECT_NE(impact_text(report, {}, 0).find("effect 1: 7 nodes: a, b, c, d, e, f, g\n"), std::string::npos);
}

TEST(Effects, CountWhatBecomesOfSubjects) {
  ImpactReport report;
  Effects& effects = report.effects;
  const auto whole = [](ChangeKind kind) { return Change{.item = {}, .path = {}, .kind = kind}; };
  add(effects, "a", {whole(ChangeKind::appeared)});
  add(effects, "b", {whole(ChangeKind::disappeared)});
  add(effects, "c", {});
  EXPECT_EQ(impact_text(report, {}),
            "2 of 3 nodes change: 2 distinct effects\n\neffect 1: 1 node: a\n  + appeared\n\neffect 2: 1 node: b\n  - "
            "disappeared\n");
  EXPECT_EQ(effects.counts().appeared, 1U);
  EXPECT_EQ(effects.counts().disappeared, 1U);
  ImpactReport none;
  add(none.effects, "a", {});
  EXPECT_EQ(impact_text(none, {.subject = "site"}), "0 of 1 site change: 0 distinct effects\n");
}

void add_caused(Effects& effects, CauseKind kind, std::optional<std::vector<std::size_t>> edits) {
  std::vector<SharedChange> changes = shared({change("/a", 1, 2, "x")});
  changes.front().causes = std::make_shared<const Causes>(Causes{.kind = kind, .edits = std::move(edits)});
  effects.add({.subject = "n", .changes = std::move(changes)});
}

TEST(Effects, NameTheirCauses) {
  ImpactReport report;
  report.edits = {{.file = "a", .before = {3, 1}, .after = {4, 1}},
                  {.file = "a", .before = {7, 2}, .after = {7, 0}},
                  {.file = "b", .whole = true}};
  const auto by = [&report](CauseKind kind, std::optional<std::vector<std::size_t>> edits) {
    report.effects = Effects();
    add_caused(report.effects, kind, std::move(edits));
    const std::string text = impact_text(report, {});
    return text.substr(text.find("by   "));
  };
  EXPECT_EQ(by(CauseKind::each, {{0, 1}}), "by   a:4, a:7-8 (removed)\n");
  EXPECT_EQ(by(CauseKind::any, {{0, 2}}), "by   any of a:4, b\n");
  EXPECT_EQ(by(CauseKind::together, {{0, 2}}), "by   together a:4, b\n");
  EXPECT_EQ(by(CauseKind::together, {{2}}), "by   b\n");
  EXPECT_EQ(by(CauseKind::together, {{}}), "by   <nothing that was read>\n");
  EXPECT_EQ(by(CauseKind::together, std::nullopt), "by   <more edits than can be tried>\n");
}

TEST(Effects, InMarkdownEscapeWhatTablesMean) {
  ImpactReport report;
  report.edits = {{.file = "a|`b", .before = {3, 1}, .after = {4, 1}}};
  add_caused(report.effects, CauseKind::each, {{0}});
  EXPECT_EQ(impact_markdown(report, {}),
            "### 1 of 1 node changes: 1 distinct effect\n\n| effect | nodes | changes | because of "
            "|\n|--:|--:|--:|---|\n| 1 | 1 | 1 | ``a\\|`b:4`` |\n"
            "\n<details open><summary>Effect 1: 1 node</summary>\n\n`n`\n\n| | place | before | after | because of "
            "|\n|---|---|---|---|---|\n"
            "| ~ | `k/a` | `1` | `2` | ``a\\|`b:4`` |\n\n</details>\n");
}

TEST(Effects, InMarkdownAreBounded) {
  ImpactReport report;
  for (int i = 0; i < 2000; ++i) add(report.effects, "n" + std::to_string(i), {change("/a", i, i + 1, "x")});
  const std::string text = impact_markdown(report, {});
  EXPECT_LT(text.size(), 60'000U);
  EXPECT_GT(text.size(), 55'000U);
  EXPECT_NE(text.find(" more effects*\n"), std::string::npos);
}

}  // namespace
}  // namespace strata::analysis
