// SPDX-License-Identifier: Apache-2.0
// Containers that several documents hold: what is written into one, all of them show.
#include <gtest/gtest.h>

#include <algorithm>

#include "deckhand/site.hpp"

namespace strata::deckhand {
namespace {

/// An entry with more members of its source, or with several destinations.
std::string entry(const std::string& source, const std::string& from, const std::string& to,
                  const std::string& more = "") {
  return "{src: {schema: example/Kind/v1, name: " + source + ", path: " + from + more + "}, dest: " + to + "}";
}
std::string substitutions(const std::vector<std::string>& entries) {
  std::string out = "substitutions: [";
  for (const std::string& one : entries) out += (out.ends_with('[') ? "" : ", ") + one;
  return out + "]";
}

/// `s` with `a: {b: {c: 1}}`, and `t`, which takes `.a` and writes below it.
std::vector<Doc> example(const std::string& more = "") {
  return {{.name = "s", .data = "{a: {b: {c: 1}}}"},
          {.name = "t",
           .more = substitutions({entry("s", ".a", "{path: .x}", more), entry("s", ".a.b.c", "{path: .x.b.d}")})}};
}

std::string rendering_of(const std::vector<Doc>& documents, bool with_history) {
  Site site(documents);
  site.with_history = with_history;
  return site.render();
}

struct SharingCase {
  const char* name;
  std::vector<Doc> documents;
  const char* result;
};

std::ostream& operator<<(std::ostream& out, const SharingCase& one) { return out << one.name; }

class SharedContainers : public ::testing::TestWithParam<SharingCase> {};

TEST_P(SharedContainers, IsThatOfTheReference) {
  for (const bool with_history : {false, true})
    EXPECT_EQ(rendering_of(GetParam().documents, with_history), GetParam().result);
}

const Doc kSource{.name = "s", .data = "{a: {b: {c: 1}}}"};
const Doc kLabelled{.name = "s", .layer = "global", .data = "{a: {b: {c: 1}}}", .more = "labels: {l: s}"};

INSTANTIATE_TEST_SUITE_P(
    Table, SharedContainers,
    ::testing::Values(
        SharingCase{"the source shows it", example(),
                    R"(s {"a": {"b": {"c": 1, "d": 1}}}; t {"x": {"b": {"c": 1, "d": 1}}})"},
        SharingCase{"not with deepcopy", example(", deepcopy: true"),
                    R"(s {"a": {"b": {"c": 1}}}; t {"x": {"b": {"c": 1, "d": 1}}})"},
        SharingCase{"the copy itself is not shared",
                    {kSource,
                     {.name = "t",
                      .more = substitutions({entry("s", ".a", "{path: .x}"), entry("s", ".a.b.c", "{path: .x.d}")})}},
                    R"(s {"a": {"b": {"c": 1}}}; t {"x": {"b": {"c": 1}, "d": 1}})"},
        SharingCase{"who takes it later gets it, and who took it before shows it",
                    {kSource,
                     {.name = "u", .more = substitutions({entry("s", ".a", "{path: .y}")})},
                     {.name = "t",
                      .more = substitutions({entry("u", ".y.b.c", "{path: .z}"), entry("s", ".a", "{path: .x}"),
                                             entry("s", ".a.b.c", "{path: .x.b.d}")})},
                     {.name = "v", .more = substitutions({entry("t", ".x.b", "{path: .w}")})}},
                    R"(s {"a": {"b": {"c": 1, "d": 1}}}; u {"y": {"b": {"c": 1, "d": 1}}}; )"
                    R"(t {"z": 1, "x": {"b": {"c": 1, "d": 1}}}; v {"w": {"c": 1, "d": 1}})"},
        SharingCase{"two destinations share what is below them",
                    {kSource,
                     {.name = "t",
                      .more = substitutions({entry("s", ".a", "[{path: .x}, {path: .y}]", ", deepcopy: true"),
                                             entry("s", ".a.b.c", "{path: .x.b.d}")})}},
                    R"(s {"a": {"b": {"c": 1}}}; t {"x": {"b": {"c": 1, "d": 1}}, "y": {"b": {"c": 1, "d": 1}}})"},
        SharingCase{
            "a child before the write",
            {{.name = "t",
              .more = substitutions({entry("c", ".a.b.c", "{path: .q}"), entry("s", ".a", "{path: .x}"),
                                     entry("s", ".a.b.c", "{path: .x.b.d}")})},
             {.name = "c", .layer = "region", .data = "{k: 1}", .layering = selects("{l: s}")},
             kLabelled},
            R"(s {"a": {"b": {"c": 1, "d": 1}}}; c {"a": {"b": {"c": 1}}, "k": 1}; t {"q": 1, "x": {"b": {"c": 1, "d": 1}}})"},
        SharingCase{"a child after the write",
                    {{.name = "c",
                      .layer = "region",
                      .data = "{k: 1}",
                      .more = substitutions({entry("t", ".x.b.c", "{path: .q}")}),
                      .layering = selects("{l: s}")},
                     {.name = "t",
                      .more = substitutions({entry("s", ".a", "{path: .x}"), entry("s", ".a.b.c", "{path: .x.b.d}")})},
                     kLabelled},
                    R"(s {"a": {"b": {"c": 1, "d": 1}}}; t {"x": {"b": {"c": 1, "d": 1}}}; )"
                    R"(c {"a": {"b": {"c": 1, "d": 1}}, "k": 1, "q": 1})"},
        SharingCase{"a child's writes are not its parent's",
                    {{.name = "c", .data = "{x: {b: {c: 2}}}", .layering = selects("{l: p}")},
                     {.name = "p",
                      .layer = "region",
                      .more = "labels: {l: p}, " + substitutions({entry("s", ".a", "{path: .x}")})},
                     kSource},
                    R"(s {"a": {"b": {"c": 1}}}; p {"x": {"b": {"c": 1}}}; c {"x": {"b": {"c": 2}}})"},
        SharingCase{
            "a child keeps what its parent held twice, twice",
            {{.name = "c", .data = "{x: {b: {c: 2}}}", .layering = selects("{l: p}")},
             {.name = "p",
              .layer = "region",
              .more = "labels: {l: p}, " + substitutions({entry("s", ".a", "[{path: .x}, {path: .y}]")})},
             kSource},
            R"(s {"a": {"b": {"c": 1}}}; p {"x": {"b": {"c": 1}}, "y": {"b": {"c": 1}}}; c {"x": {"b": {"c": 2}}, "y": {"b": {"c": 2}}})"},
        SharingCase{"texts below are replaced for all",
                    {{.name = "s", .data = "{a: {b: {c: TOKEN}, v: w}}"},
                     {.name = "t",
                      .more = substitutions({entry("s", ".a", "{path: .x}"),
                                             entry("s", ".a.v", "{path: .x, pattern: TOKEN, recurse: {depth: -1}}")})}},
                    R"(s {"a": {"b": {"c": "w"}, "v": "w"}}; t {"x": {"b": {"c": "w"}, "v": "w"}})"},
        SharingCase{"a path that leads to several places writes one container",
                    {{.name = "s", .data = "{a: {b: 1}}"},
                     {.name = "t",
                      .data = "{m: {p: 0, q: 0}}",
                      .more = substitutions({entry("s", ".a", "{path: .m.*}"), entry("s", ".a.b", "{path: .m.p.c}")})}},
                    R"(s {"a": {"b": 1}}; t {"m": {"p": {"b": 1, "c": 1}, "q": {"b": 1, "c": 1}}})"},
        SharingCase{
            "a second destination gets the value as the first one left it",
            {{.name = "s", .data = "{a: {b: {c: T}}}"},
             {.name = "t",
              .more = substitutions({entry("s", ".", "{path: .x}"),
                                     entry("s", ".a.b",
                                           "[{path: .x.a.b.d}, {path: .x.a.b, pattern: T, recurse: {depth: 1}}]")})}},
            R"(s {"a": {"b": {"c": "{'c': 'T', 'd': {'c': 'T'}}", "d": {"c": "T"}}}}; )"
            R"(t {"x": {"a": {"b": {"c": "{'c': 'T', 'd': {'c': 'T'}}", "d": {"c": "T"}}}}})"},
        SharingCase{
            "items of a list",
            {{.name = "s", .data = "{l: [{p: 1}, {p: 2}]}"},
             {.name = "t",
              .more = substitutions({entry("s", ".l", "{path: .x}"), entry("s", "'.l[1].p'", "{path: '.x[0].q'}")})}},
            R"(s {"l": [{"p": 1, "q": 2}, {"p": 2}]}; t {"x": [{"p": 1, "q": 2}, {"p": 2}]})"},
        SharingCase{"all of the data",
                    {kSource,
                     {.name = "t",
                      .more = substitutions({entry("s", ".", "{path: .}"), entry("s", ".a.b.c", "{path: .a.b.d}")})}},
                    R"(s {"a": {"b": {"c": 1, "d": 1}}}; t {"a": {"b": {"c": 1, "d": 1}}})"}),
    [](const auto& tested) {
      std::string name = tested.param.name;
      std::ranges::replace_if(
          name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
      return name;
    });

TEST(SharedWrites, IsWarnedOfWithTheEntryTheDocumentsAndTheWayOut) {
  Site site(example());
  (void)site.render();
  EXPECT_EQ(site.warnings(), "deckhand.shared-container");
  EXPECT_TRUE(has(site.told(), "site.yaml:10:242: warning: ")) << site.told();
  EXPECT_TRUE(
      has(site.told(), "example/Kind/v1 site/t: its substitution from example/Kind/v1 site/s writes to '.x.b.d'"))
      << site.told();
  EXPECT_TRUE(has(site.told(), "which changes example/Kind/v1 site/s too")) << site.told();
  EXPECT_TRUE(has(site.told(), "deepcopy: true")) << site.told();
}

TEST(SharedWrites, IsNotWarnedOfWhereNobodyElseIsChanged) {
  for (const std::string path : {".x.d", ".y.b.d", "."}) {
    Site site({kSource,
               {.name = "t",
                .data = "{y: {b: {}}}",
                .more = substitutions({entry("s", ".a", "{path: .x}"), entry("s", ".a.b", "{path: " + path + "}")})}});
    (void)site.render();
    EXPECT_EQ(site.warnings(), "") << path;
  }
  Site site(example(", deepcopy: true"));
  (void)site.render();
  EXPECT_EQ(site.warnings(), "");
  // What a document makes itself is not others' when they take it later.
  Site later({kSource,
              {.name = "t",
               .more = substitutions({entry("s", ".a.b.c", "{path: .x.y}"), entry("s", ".a.b.c", "{path: .x.z}")})},
              {.name = "u", .more = substitutions({entry("t", ".", "{path: .w}")})}});
  (void)later.render();
  EXPECT_EQ(later.warnings(), "");
}

TEST(SharedWrites, TheLeafHasThePlaceOfTheValueInEachDocument) {
  Site site(
      {{.name = "s", .data = "{a: {b: {c: 1}}}"},
       {.name = "n", .data = "{v: 7}"},
       {.name = "t", .more = substitutions({entry("s", ".a", "{path: .x}"), entry("n", ".v", "{path: .x.b.c}")})}});
  site.with_history = true;
  EXPECT_EQ(site.render(), R"(n {"v": 7}; s {"a": {"b": {"c": 7}}}; t {"x": {"b": {"c": 7}}})");
  int found = 0;
  for (const merge::PathHistory& path : site.history().explain(site.result->documents)) {
    if (path.path.pointer() != "/1/data/a/b/c" && path.path.pointer() != "/2/data/x/b/c") continue;
    ++found;
    EXPECT_EQ(site.sources().place(path.value.origin()).line, 11U) << path.path.pointer();
    ASSERT_EQ(path.contributions.size(), 2U);
    EXPECT_EQ(site.history().layer_name(path.contributions[0].layer), "site/n");
    EXPECT_EQ(path.contributions[0].fate, merge::Fate::won);
    EXPECT_EQ(site.history().layer_name(path.contributions[1].layer), "site/s");
    EXPECT_EQ(path.contributions[1].fate, merge::Fate::shadowed);
  }
  EXPECT_EQ(found, 2);
}

TEST(SharedWrites, NothingHoldsItself) {
  Site site(
      {kSource,
       {.name = "t", .more = substitutions({entry("s", ".", "{path: .x}"), entry("s", ".", "{path: .x.a.b.c}")})}});
  EXPECT_EQ(site.render(), "!deckhand.shared-cycle");
  EXPECT_TRUE(has(site.told(), "'.x.a.b.c'")) << site.told();
  Site copied({kSource,
               {.name = "t",
                .more = substitutions(
                    {entry("s", ".", "{path: .x}"), entry("s", ".", "{path: .x.a.b.c}", ", deepcopy: true")})}});
  EXPECT_EQ(copied.render(),
            R"(s {"a": {"b": {"c": {"a": {"b": {"c": 1}}}}}}; t {"x": {"a": {"b": {"c": {"a": {"b": {"c": 1}}}}}}})");
}

/// d0 holds one mapping; each document holds what the one before it holds, twice.
std::vector<Doc> doubling(int levels) {
  std::vector<Doc> documents{{.name = "d0", .data = "{a: {b: {}}}"}};
  for (int i = 1; i <= levels; ++i) {
    documents.push_back({.name = "d" + std::to_string(i),
                         .more = substitutions({entry("d" + std::to_string(i - 1), ".", "[{path: .l}, {path: .r}]")})});
  }
  return documents;
}

TEST(SharedWrites, WhatDoublesIsBounded) {
  Site site(doubling(60));
  site.limits.result = 100'000;
  EXPECT_THROW((void)site.render(), Error);
  // Small until the last write, which all places show.
  std::vector<Doc> documents = doubling(12);
  documents.push_back(
      {.name = "big", .data = "{v: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]}"});
  documents.push_back(
      {.name = "w",
       .more = substitutions({entry("d0", ".", "{path: .x}"), entry("d12", ".l.l.l.l.l.l.l.l.l.l.l.l", "{path: .y}"),
                              entry("big", ".v", "{path: .x.a.b.big}")})});
  Site small(documents);
  small.limits.result = 150'000;
  try {
    (void)small.render();
    ADD_FAILURE() << "it is within the limit";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "limit.result");
  }
}

TEST(SharedWrites, WhatBecomesTooDeepIsAnError) {
  // Each document writes at the end of the chain of the one before, and holds the end alone.
  std::string deep = "{}";
  for (int i = 0; i < 8; ++i) deep = "{k: " + deep + "}";
  std::vector<Doc> documents{{.name = "d0", .data = deep}};
  for (int i = 1; i < 8; ++i) {
    const std::string before = "d" + std::to_string(i - 1);
    documents.push_back({.name = "n" + std::to_string(i), .data = deep});
    documents.push_back(
        {.name = "d" + std::to_string(i),
         .more = substitutions({entry(before, i == 1 ? ".k.k.k.k.k.k" : ".e.k.v.k.k.k.k.k", "{path: .e}"),
                                entry("n" + std::to_string(i), ".", "{path: .e.k.v}")})});
  }
  Site site(documents);
  site.limits.depth = 14;
  try {
    EXPECT_EQ(site.render().substr(0, 1), "!");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "limit.depth");
  }
}

TEST(SharedWrites, SecretsThatAreWrittenIntoOtherDocumentsAreToldOf) {
  Site site(
      {kSource,
       {.name = "pw", .data = "{v: hunter2}", .more = "storagePolicy: encrypted"},
       {.name = "t", .more = substitutions({entry("s", ".a", "{path: .x}"), entry("pw", ".v", "{path: .x.b.d}")})}});
  site.with_history = true;
  EXPECT_TRUE(has(site.render(), R"(s {"a": {"b": {"c": 1, "d": "hunter2"}}})"));
  EXPECT_EQ(site.warnings(), "deckhand.shared-container deckhand.secret-leak");
  EXPECT_TRUE(has(site.told(), "holds secrets by way of containers that documents share")) << site.told();
  EXPECT_FALSE(has(site.told(), "hunter2")) << site.told();
  // Also of those who take from it then.
  Site later(
      {kSource,
       {.name = "pw", .data = "{v: hunter2}", .more = "storagePolicy: encrypted"},
       {.name = "t", .more = substitutions({entry("s", ".a", "{path: .x}"), entry("pw", ".v", "{path: .x.b.d}")})},
       {.name = "u", .more = substitutions({entry("t", ".x.b.c", "{path: .k}"), entry("s", ".a.b.d", "{path: .p}")})}});
  later.add("schema.yaml",
            "schema: deckhand/DataSchema/v1\nmetadata: {schema: metadata/Control/v1, name: example/Kind/v1}\n"
            "data: {properties: {p: {type: integer}, a: {required: [z]}}}\n");
  EXPECT_EQ(later.render(), "!deckhand.data deckhand.data");
  for (const Finding& finding : later.findings) EXPECT_EQ(finding.error_section, "");
  EXPECT_FALSE(has(later.told(), "hunter2")) << later.told();
}

TEST(SharedWrites, DataAreCheckedWhenAllAreRendered) {
  Site site(example());
  site.add("schema.yaml",
           "schema: deckhand/DataSchema/v1\nmetadata: {schema: metadata/Control/v1, name: example/Kind/v1}\n"
           "data: {properties: {a: {properties: {b: {additionalProperties: false, properties: {c: {}}}}}}}\n");
  EXPECT_EQ(site.render(), "!deckhand.data");
  EXPECT_EQ(site.findings[0].document.name, "s");
}

}  // namespace
}  // namespace strata::deckhand
