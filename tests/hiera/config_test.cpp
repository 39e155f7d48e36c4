// SPDX-License-Identifier: Apache-2.0
// hiera.yaml: its errors to the letter, and what older versions mean.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "world.hpp"

namespace strata::hiera {
namespace {

using testing::levels;
using testing::World;

TEST(Config, ErrorsHavePlaceAndCaret) {
  World here(
      World::Files{{"hiera.yaml", "version: 5\nhierarchy:\n  - name: one\n    path: a.yaml\n    paths: [b.yaml]\n"}});
  EXPECT_EQ(
      here.told("k"),
      R"(/code/environments/production/hiera.yaml:5:12: error: hierarchy[0]: Only one of path, paths, glob, globs, uri, uris, or mapped_paths can be defined in hierarchy 'one' [hiera.config]
    5 |     paths: [b.yaml]
      |            ^
)");
  World twice(World::Files{{"hiera.yaml", "version: 5\nhierarchy:\n  - name: one\n  - name: one\n"}});
  EXPECT_EQ(
      twice.told("k"),
      R"(/code/environments/production/hiera.yaml:4:11: error: Hierarchy name 'one' defined more than once [hiera.config]
    4 |   - name: one
      |           ^
/code/environments/production/hiera.yaml:3:11: note: first here
    3 |   - name: one
      |           ^
)");
  World unknown(World::Files{{"hiera.yaml", "version: 5\nhierachy: []\n"}});
  EXPECT_EQ(unknown.told("k"),
            R"(/code/environments/production/hiera.yaml:2:1: error: the top: unrecognized key 'hierachy' [hiera.config]
    2 | hierachy: []
      | ^
hint: did you mean 'hierarchy'?
)");
  World older(World::Files{{"hiera.yaml", "version: 6\n"}});
  EXPECT_EQ(
      older.told("k"),
      R"(/code/environments/production/hiera.yaml:1:10: error: This runtime does not support hiera.yaml version 6 [hiera.version]
    1 | version: 6
      |          ^
hint: write version: 5
)");
}

TEST(Config, AWrongShapeComesFirst) {
  World here(
      World::Files{{"hiera.yaml", "version: 5\nhierarchy:\n  - {name: a, path: x, paths: [y]}\n  - {name: 5}\n"}});
  EXPECT_EQ(here.answer("k"), "hiera.config: hierarchy[1].name: expects a text, got an integer");
  World global(World::Files{{"/code/hiera.yaml", "version: 4\nhierarchy: [{name: a}]\n"}});
  EXPECT_EQ(global.answer("k"), "hiera.config: hierarchy[0]: expects a value for key 'backend'");
  World number(World::Files{{"hiera.yaml", "version: '2nd'\n"}});
  EXPECT_EQ(number.answer("k"), "hiera.version: This runtime does not support hiera.yaml version 2");
}

TEST(Config, NamesThatAreThereTwiceAreFoundInTheirLayer) {
  World here(World::Files{{"hiera.yaml", "version: 5\nhierarchy:\n  - name: one\n  - name: one\n"}});
  EXPECT_EQ(here.explained("k"),
            R"(Searching for "lookup_options"
  Global Data Provider (hiera configuration version 5)
    No such key: "lookup_options"
  Environment Data Provider (hiera configuration version 5)
    Using configuration "/code/environments/production/hiera.yaml"
Hierarchy name 'one' defined more than once. First defined at (line: 3) (file: /code/environments/production/hiera.yaml, line: 4)
)");
}

TEST(Config, Errors) {
  struct Row {
    std::string_view text;
    std::string_view error;
  };
  const std::string entry = "version: 5\nhierarchy:\n  - ";
  for (const Row& row : std::initializer_list<Row>{
           {"version: '5'", "hiera.config: version: entry 'version' expects an Integer[5, 5] value, got text"},
           {"version: 5.0", "hiera.config: version: entry 'version' expects an Integer[5, 5] value, got a float"},
           {"version: 5\nhierarchy: {}", "hiera.config: hierarchy: expects a sequence, got a mapping"},
           {"version: 5\nhierarchy: [x]", "hiera.config: hierarchy[0]: expects a mapping, got text"},
           {"version: 5\nhierarchy: [{path: x}]", "hiera.config: hierarchy[0]: expects a value for key 'name'"},
           {"version: 5\nhierarchy: [{name: ''}]", "hiera.config: hierarchy[0].name: expects a text that is not empty"},
           {"version: 5\nhierarchy: [{name: 5}]", "hiera.config: hierarchy[0].name: expects a text, got an integer"},
           {"version: 5\nhierarchy: [{name: a, frob: 1}]", "hiera.config: hierarchy[0]: unrecognized key 'frob'"},
           {"version: 5\nhierarchy: [{name: a, data_hash: x, lookup_key: y}]",
            "hiera.config: hierarchy[0]: Only one of data_hash, lookup_key, data_dig, or hiera3_backend can be defined "
            "in hierarchy 'a'"},
           {"version: 5\nhierarchy: [{name: a, paths: []}]",
            "hiera.config: hierarchy[0].paths: expects size to be at least 1, got 0"},
           {"version: 5\nhierarchy: [{name: a, paths: [b, 5]}]",
            "hiera.config: hierarchy[0].paths[1]: expects a text, got an integer"},
           {"version: 5\nhierarchy: [{name: a, mapped_paths: [b, c]}]",
            "hiera.config: hierarchy[0].mapped_paths: expects size to be 3, got 2"},
           {"version: 5\nhierarchy: [{name: a, options: {path: b}}]",
            "hiera.config: hierarchy[0].options: Option key 'path' used in hierarchy 'a' is reserved by Puppet"},
           {"version: 5\nhierarchy: [{name: a, options: {b_: b}}]",
            "hiera.config: hierarchy[0].options: 'b_' is not an option name: write a letter, then letters, digits, '_' "
            "and '-', a letter or digit "
            "at the end"},
           {"version: 5\ndefaults: {path: x}", "hiera.config: defaults: unrecognized key 'path'"},
           {"version: 5\ndefaults: {datadir: x}\nhierarchy: [{name: a}]",
            "hiera.config: hierarchy[0]: One of data_hash, lookup_key, data_dig, or hiera3_backend must be defined in "
            "hierarchy 'a'"},
           {"version: 5\ndefaults: {datadir: x}",
            "hiera.config: hierarchy: One of data_hash, lookup_key, data_dig, or hiera3_backend must be defined in "
            "hierarchy 'Common'"},
           {"version: 5\ndefault_hierarchy: []",
            "hiera.config: default_hierarchy: 'default_hierarchy' is only allowed in the module layer"},
           {"version: 5\nhierarchy: [{name: a, hiera3_backend: x}]",
            "hiera.config: hierarchy[0]: 'hiera3_backend' is only allowed in the global layer"},
       }) {
    World here(World::Files{{"hiera.yaml", std::string(row.text) + "\n"}});
    EXPECT_EQ(here.answer("k"), row.error) << row.text;
  }
}

TEST(Config, GlobalLayer) {
  const auto global = [](const std::string& text) {
    World here(
        World::Files{{"/code/hiera.yaml", text}, {"hiera.yaml", "version: 5\n"}, {"data/common.yaml", "k: env\n"}});
    return here.answer("k");
  };
  EXPECT_EQ(global("version: 5\nhierarchy: [{name: a, hiera3_backend: yaml}]\n"),
            "hiera.config: hierarchy[0]: Use \"data_hash: yaml_data\" instead of \"hiera3_backend: yaml\"");
  EXPECT_EQ(
      global("version: 5\nhierarchy: [{name: a, hiera3_backend: frob}]\n"),
      "hiera.config: hierarchy[0]: hiera3_backend 'frob' is not supported: back ends written in Ruby cannot be loaded");
  EXPECT_EQ(global("version: 4\n"), "hiera.version: hiera.yaml version 4 cannot be used in the global layer");
  EXPECT_EQ(global("version: 5\nhierarchy: []\n"), R"("env")");
}

TEST(Config, FunctionsAreCheckedWhenTheyAreCalled) {
  World absent(World::Files{
      {"hiera.yaml",
       "version: 5\nhierarchy: [{name: a, data_hash: frob, path: none.yaml}, {name: b, path: common.yaml}]\n"},
      {"data/common.yaml", "k: v\n"}});
  EXPECT_EQ(absent.answer("k"), R"("v")");
  World there(
      World::Files{{"hiera.yaml", "version: 5\nhierarchy:\n  - {name: a, data_hash: frob, path: common.yaml}\n"},
                   {"data/common.yaml", "k: v\n"}});
  const std::string told = there.told("k");
  EXPECT_NE(told.find("hiera.yaml:3:26: error: "), std::string::npos) << told;
  EXPECT_NE(told.find("[hiera.function]"), std::string::npos) << told;
  World options(World::Files{{"hiera.yaml", "version: 5\nhierarchy: [{name: a, path: common.yaml, options: {x: 1}}]\n"},
                             {"data/common.yaml", "k: v\n"}});
  EXPECT_TRUE(options.answer("k").starts_with("hiera.function-options: ")) << options.answer("k");
}

TEST(Config, LocationsOfAllKinds) {
  World here(World::Files{{"hiera.yaml", R"(version: 5
defaults: {datadir: "d/%{tier}", data_hash: yaml_data}
hierarchy:
  - {name: mapped, mapped_paths: [services, svc, "svc/%{svc}.yaml"]}
  - {name: globs, globs: ["g/{b,a}/*.yaml", "g/a/*.yaml"]}
  - {name: other folder, datadir: ../shared, path: "x%{nope}.yaml"}
  - {name: absolute, path: /abs.yaml}
)"},
                          {"d/prod/svc/web.yaml", "l: [web]"},
                          {"d/prod/svc/db.yaml", "l: [db]"},
                          {"d/prod/g/a/1.yaml", "l: [a1]"},
                          {"d/prod/g/b/1.yaml", "l: [b1]"},
                          {"d/prod/g/b/k.json", "{}"},
                          {"/code/environments/shared/x.yaml", "l: [x]"},
                          {"/abs.yaml", "l: [abs]"}},
             "{tier: prod, services: [db, none, web], svc: hidden}");
  EXPECT_EQ(here.answer("l", "unique"), R"(["db", "web", "b1", "a1", "x", "abs"])");
  EXPECT_EQ(here.answer("l"), R"(["db"])");
}

TEST(Config, TheTopScopeDoesNotHaveTheNamesOfMappedPaths) {
  for (const auto& [name, found] :
       {std::pair("svc", R"("web")"), std::pair("::svc", R"("hidden")"), std::pair("::item", R"("common")")}) {
    World here(
        World::Files{{"hiera.yaml", fmt::format("version: 5\nhierarchy: [{{name: a, mapped_paths: [services, {}, "
                                                "'%{{{}}}.yaml']}}, {{name: b, path: c.yaml}}]\n",
                                                std::string_view(name).ends_with("item") ? "item" : "svc", name)},
                     {"data/web.yaml", "l: web\n"},
                     {"data/hidden.yaml", "l: hidden\n"},
                     {"data/c.yaml", "l: common\n"}},
        "{services: [web], svc: hidden}");
    EXPECT_EQ(here.answer("l"), found) << name;
  }
}

TEST(Version3, BackendsSearchTheWholeHierarchy) {
  World here(World::Files{{"/code/hiera.yaml",
                           ":backends: [yaml, json]\n:hierarchy: ['%{tier}', common]\n:yaml:\n  :datadir: /h\n:json: "
                           "{datadir: rel, extension: js}\n"},
                          {"/h/common.yaml", "a: yaml\nb: yaml\n"},
                          {"/start/rel/prod.js", R"({"a": "json", "c": "json"})"}},
             "{tier: prod}");
  EXPECT_EQ(here.answer("a"), R"("yaml")");
  EXPECT_EQ(here.answer("c"), R"("json")");
  ASSERT_EQ(here.session.diagnostics().warnings().size(), 1U);
  EXPECT_EQ(here.session.diagnostics().warnings().front().code, "hiera.version-deprecated");
}

TEST(Version3, IsIgnoredBelowTheGlobalLayer) {
  const World::Files files{{"hiera.yaml", "hierarchy: common\n"}, {"data/common.yaml", "k: v\n"}};
  World here(files);
  EXPECT_EQ(here.answer("k"), "hiera.not-found: Function lookup() did not find a value for the name 'k'");
  EXPECT_EQ(
      here.warnings(),
      R"(/code/environments/production/hiera.yaml:1:1: warning: hiera.yaml version 3 found at the environment root was ignored [hiera.version-ignored]
hint: convert it to version 5
)");
  World with_backend({{"/code/hiera.yaml", "version: 5\nhierarchy: [{name: a, path: a.yaml}]\n"},
                      {"/code/data/a.yaml", "k: v\nm::k: w\n"},
                      {"hiera.yaml", ":backends: [vault]\n:vault: {a: b}\n"},
                      {"modules/m/hiera.yaml", ":backends: consul\n"}});
  EXPECT_EQ(with_backend.answer("k"), R"("v")");
  EXPECT_EQ(with_backend.answer("m::k"), R"("w")");
  World strict(files, "{}", {.compat = Compat::openvox});
  EXPECT_EQ(strict.answer("k"), "hiera.version: hiera.yaml version 3 cannot be used in an environment");
}

TEST(Version3, Errors) {
  const auto global = [](const std::string& text) {
    World here(World::Files{{"/code/hiera.yaml", text}});
    return here.answer("k");
  };
  EXPECT_EQ(global("backends: [yaml, yaml]\n"), "hiera.config: Backend 'yaml' is defined more than once");
  EXPECT_EQ(global("backends: [frob]\n"),
            "hiera.config: backends: backend 'frob' is not supported: back ends written in Ruby cannot be loaded");
  EXPECT_EQ(global("frob: 1\n"), "hiera.config: the top: unrecognized key 'frob'");
  EXPECT_EQ(global("merge_behavior: deepest\n"),
            "hiera.config: merge_behavior: expects native, deep or deeper, got 'deepest'");
}

TEST(Version4, FoldersHaveNoExpressions) {
  const World::Files data{{"prod/common.yaml", "a: prod\n"}, {"%{tier}/common.yaml", "a: plain\n"}};
  for (const char* text :
       {"datadir: '%{tier}'\n", "hierarchy: [{name: c, backend: yaml, path: common, datadir: '%{tier}'}]\n"}) {
    World::Files files = data;
    files["hiera.yaml"] = std::string("version: 4\n") + text;
    World here(files, "{tier: prod}");
    EXPECT_EQ(here.answer("a"), R"("plain")") << text;
  }
}

TEST(Version4, NamesArePaths) {
  World here(World::Files{{"hiera.yaml", R"(version: 4
datadir: d
hierarchy:
  - {name: "%{tier}", backend: yaml}
  - {name: rest, backend: json, paths: [one, two.json]}
)"},
                          {"d/prod.yaml", "a: yaml\n"},
                          {"d/two.json", R"({"a": "json", "b": 2})"}},
             "{tier: prod}");
  EXPECT_EQ(here.answer("a"), R"("yaml")");
  EXPECT_EQ(here.answer("b"), "2");
  World wrong(World::Files{{"hiera.yaml", "version: 4\nhierarchy: [{name: a, backend: eyaml}]\n"}});
  EXPECT_EQ(wrong.answer("b"), "hiera.config: No data provider is registered for backend 'eyaml'");
}

TEST(DataFiles, ErrorsHavePlaceAndCaret) {
  World here(World::Files{{"hiera.yaml", levels({"a.yaml", "b.yaml"})},
                          {"data/a.yaml", "k: v\n"},
                          {"data/b.yaml", "x: 1\nday: 2024-01-02\n"}});
  const std::string told = here.told("k");
  EXPECT_TRUE(told.starts_with("/code/environments/production/data/b.yaml:2:6: error: ")) << told;
  EXPECT_NE(told.find("    2 | day: 2024-01-02\n      |      ^\n"), std::string::npos) << told;
  World list(World::Files{{"hiera.yaml", "version: 5\n"}, {"data/common.yaml", "[1]\n"}});
  EXPECT_TRUE(list.answer("k").starts_with("hiera.not-found: "));
  EXPECT_EQ(list.session.diagnostics().warnings().size(), 1U) << list.warnings();
  World symbol(World::Files{{"hiera.yaml", "version: 5\n"}, {"data/common.yaml", "good: 1\nbad: :sym\n"}});
  EXPECT_EQ(symbol.answer("good"), "1");
  EXPECT_TRUE(symbol.told("bad").starts_with("/code/environments/production/data/common.yaml:2:6: error: "))
      << symbol.told("bad");
}

}  // namespace
}  // namespace strata::hiera
