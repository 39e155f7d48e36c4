// SPDX-License-Identifier: Apache-2.0
// What histories say of a lookup.
#include <gtest/gtest.h>

#include "world.hpp"

namespace strata::hiera {
namespace {

using testing::levels;
using testing::World;

World layered_world(std::map<std::string, std::string> data, std::string_view facts = "{}") {
  World::Files files{{"hiera.yaml", levels({"high.yaml", "mid.yaml", "low.yaml"})}};
  for (auto& [name, text] : data) files["data/" + name + ".yaml"] = text;
  return World(files, facts, {.keeps_history = true});
}

/// Layers by the first letter of their file.
std::string fates(World& here, const std::string& name, std::string_view merge = {}) {
  const Result& found = here.result(World::query(name, merge.empty() ? Value() : here.yaml(merge)));
  std::string out = here.fates(found);
  for (const std::string_view level : {"high", "mid", "low"}) {
    const std::string layer = std::string(level) + ".yaml/" + std::string(level) + ".yaml";
    for (std::size_t at = out.find(layer); at != std::string::npos; at = out.find(layer))
      out.replace(at, layer.size(), level);
  }
  return out;
}

TEST(History, FirstShowsWhatIsBelow) {
  World here = layered_world({{"high", "k: 1\n"}, {"mid", "k: {a: 2}\n"}, {"low", "k: ~\n"}});
  EXPECT_EQ(fates(here, "k"), ": high won 1; mid shadowed {\"a\"=>2}; low shadowed nil;\n/a: mid shadowed 2;\n");
}

TEST(History, WhatCannotBeReadBelowChangesNothing) {
  World here = layered_world({{"high", "k: 1\n"}, {"mid", "k: \"%{lookup('k')}\"\n"}, {"low", "k: 3\n"}});
  EXPECT_EQ(fates(here, "k"), ": high won 1; low shadowed 3;\n");
}

TEST(History, Unique) {
  World here = layered_world({{"high", "k: [a, b]\n"}, {"mid", "k: [[b, c], a]\n"}, {"low", "k: d\n"}});
  EXPECT_EQ(fates(here, "k", "unique"),
            "/0: high won \"a\"; mid shadowed \"a\";\n/1: high won \"b\"; mid shadowed \"b\";\n/2: mid won \"c\";\n/3: "
            "low won \"d\";\n");
}

TEST(History, AListThatAMergeEmptiesIsThatOfItsLayer) {
  World here = layered_world({{"high", "k: [[], [[]]]\nl: [\"%{alias('e')}\"]\nm: \"%{alias('l')}\"\nn: ['%{role}']\n"},
                              {"mid", "e: []\nl: [\"%{alias('e')}\", []]\nn: ['--web']\n"},
                              {"low", "k: []\n"}},
                             "{role: --web}");
  EXPECT_EQ(fates(here, "k", "unique"), ": high won [];\n");
  EXPECT_EQ(fates(here, "l", "unique"), ": high won [];\n");
  EXPECT_EQ(fates(here, "m", "unique"), ": high won [];\n");
  EXPECT_EQ(fates(here, "n", "{strategy: deep, knockout_prefix: '--'}").find(": mid won [];\n"), 0U);
}

TEST(History, KnockedOutBeforeALaterMerge) {
  constexpr std::string_view kMerge = "{strategy: deep, knockout_prefix: '--'}";
  World here = layered_world(
      {{"high", "k: [t, --m]\nx: {y: [t]}\n"}, {"mid", "k: [m, n]\nx: {y: w}\n"}, {"low", "k: [z]\nx: {y: [z]}\n"}});
  EXPECT_EQ(fates(here, "k", kMerge),
            "/0: high removed \"--m\"; mid removed \"m\"; low won \"z\";\n/1: mid won \"n\";\n/2: high won \"t\";\n");
  EXPECT_EQ(fates(here, "x", kMerge), "/y/0: low won \"z\";\n/y/1: high won \"t\";\n/y: mid shadowed \"w\";\n");
}

TEST(History, ShadowedBeforeALaterMerge) {
  World here =
      layered_world({{"high", "k: {x: {y: {z: 1}}}\n"}, {"mid", "k: {x: {y: 5}}\n"}, {"low", "k: {x: {y: {w: 2}}}\n"}});
  EXPECT_EQ(fates(here, "k", "deep"), "/x/y/w: low won 2;\n/x/y/z: high won 1;\n/x/y: mid shadowed 5;\n");
}

TEST(History, DuplicatesOfOneSource) {
  World here = layered_world({{"high", "k: {n: [a, a, b]}\n"}, {"mid", "k: {m: [e]}\n"}});
  for (const char* merge : {"deep", "{strategy: deep, sort_merged_arrays: true}"}) {
    EXPECT_EQ(fates(here, "k", merge),
              "/m/0: mid won \"e\";\n/n/0: high won \"a\"; high shadowed \"a\";\n/n/1: high won \"b\";\n")
        << merge;
  }
}

TEST(History, WhatNoFileStatesIsOfTheTextThatAsksForIt) {
  World here =
      layered_world({{"high", "k: {p: \"%{alias('nope')}\"}\nc: ab\nlookup_options: {c: {convert_to: Array}}\n"}});
  EXPECT_EQ(fates(here, "k"), "/p: high merged \"%{alias('nope')}\";\n");
  const Result& found = here.result(World::query("c"));
  ASSERT_EQ(found.value.value.size(), 2U);
  for (const Value& item : found.value.value.items())
    EXPECT_EQ(here.session.sources().place(item.origin()).to_string(),
              "/code/environments/production/data/high.yaml:2:4");
}

TEST(History, HashAndDeep) {
  World here = layered_world(
      {{"high", "k: {a: {x: 1}, h: 1}\n"}, {"mid", "k: {a: {y: 2}}\n"}, {"low", "k: {a: {x: 3, z: 3}, l: 3}\n"}});
  EXPECT_EQ(fates(here, "k", "hash"),
            "/a/x: high won 1; low shadowed 3;\n/a/y: mid shadowed 2;\n/a/z: low shadowed 3;\n/l: low won 3;\n/h: high "
            "won 1;\n");
  EXPECT_EQ(fates(here, "k", "deep"),
            "/a/x: high won 1; low shadowed 3;\n/a/z: low won 3;\n/a/y: mid won 2;\n/l: low won 3;\n/h: high won 1;\n");
}

TEST(History, InterpolatedValuesAreMergedOfTheirInputs) {
  World here = layered_world({{"high", "k: \"%{role}-%{lookup('o')}\"\n"}, {"mid", "o: 5\n"}, {"low", "k: x\no: 6\n"}},
                             "{role: web}");
  EXPECT_EQ(fates(here, "k"),
            ": high merged \"%{role}-%{lookup('o')}\"; facts merged \"web\"; mid merged 5; low shadowed 6; low "
            "shadowed \"x\";\n");
}

TEST(History, TellsOfVariablesWhenTheViewIsGone) {
  const std::string data = "k: \"hello %{trusted.certname} in %{environment} on %{facts.hostname}\"\n";
  Session session(
      Snapshot::make(Engine::make(), memory_tree({{"/code/environments/production/hiera.yaml", levels({"high.yaml"})},
                                                  {"/code/environments/production/data/high.yaml", data}})),
      {.keeps_history = true});
  Result result;
  {
    const std::string text = "clientcert: a.example.com\nhostname: a\ndomain: example.com\nfqdn: a.example.com\n";
    const Facts facts =
        read_facts(session.sources(), session.sources().add("facts.yaml", text), "facts.yaml", session.limits());
    NodeView view({.codedir = "/code"}, facts, session);
    Query query;
    query.names = {"k"};
    result = view.lookup(query);
  }
  EXPECT_EQ(result.value.value.text(), "hello a.example.com in production on a");
  std::vector<std::string> told;
  for (const merge::PathHistory& path : session.recorder().history()->explain(result.value)) {
    for (const merge::Contribution& one : path.contributions) told.emplace_back(one.value.text());
  }
  EXPECT_EQ(told, (std::vector<std::string>{"hello %{trusted.certname} in %{environment} on %{facts.hostname}",
                                            "a.example.com", "production", "a"}));
}

TEST(History, AliasesAndConversions) {
  World here = layered_world({{"high", "k: \"%{alias('o')}\"\nc: '12'\nlookup_options: {c: {convert_to: Integer}}\n"},
                              {"mid", "o: {a: 1}\n"}});
  EXPECT_EQ(fates(here, "k"), "/a: mid won 1;\n");
  EXPECT_EQ(fates(here, "c"), ": high merged \"12\";\n");
  EXPECT_EQ(fates(here, "k.a"), ": mid won 1;\n");
}

}  // namespace
}  // namespace strata::hiera
