// SPDX-License-Identifier: Apache-2.0
// Layers, modules, lookup_options and who of them comes first.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "world.hpp"

namespace strata::hiera {
namespace {

using testing::levels;
using testing::World;

World three_layers() {
  return World(
      World::Files{{"/code/hiera.yaml", "version: 5\ndefaults: {datadir: global, data_hash: yaml_data}\n"},
                   {"/code/global/common.yaml", "k: [g]\nm::k: [mg]\n"},
                   {"hiera.yaml", "version: 5\n"},
                   {"data/common.yaml", "k: [e]\nm::k: [me]\n'::k': bare\n"},
                   {"modules/m/hiera.yaml",
                    "version: 5\nhierarchy: [{name: a, path: a.yaml}]\ndefault_hierarchy: [{name: d, path: d.yaml}, "
                    "{name: e, path: e.yaml}]\n"},
                   {"modules/m/data/a.yaml", "m::k: [mm]\nforeign: 1\nm::hash: {a: 1}\nm::opt: {convert_to: x}\n"},
                   {"modules/m/data/d.yaml",
                    "m::k: [md]\nm::only: [one]\nm::hash: {b: 2}\nlookup_options: {'m::only': {merge: unique}}\n"},
                   {"modules/m/data/e.yaml", "m::only: [two]\n"},
                   {"/code/modules/m/hiera.yaml", "version: 3\n"},
                   {"/code/modules/late/hiera.yaml", "version: 5\n"},
                   {"/code/modules/late/data/common.yaml", "late::k: found\n"}});
}

TEST(Layers, GlobalEnvironmentModule) {
  World here = three_layers();
  EXPECT_EQ(here.answer("k"), R"(["g"])");
  EXPECT_EQ(here.answer("k", "unique"), R"(["g", "e"])");
  EXPECT_EQ(here.answer("m::k", "unique"), R"(["mg", "me", "mm"])");
  EXPECT_EQ(here.answer("m::k", "deep"), R"(["mm", "me", "mg"])");
  EXPECT_EQ(here.answer("::k"), R"("bare")");
  EXPECT_EQ(here.answer("late::k"), R"("found")");
  EXPECT_EQ(here.answer("foreign"), "hiera.not-found: Function lookup() did not find a value for the name 'foreign'");
  EXPECT_NE(here.warnings().find("[hiera.module-key]"), std::string::npos);
}

TEST(Layers, DefaultHierarchyAnswersOnlyWhatNothingElseDoes) {
  World here = three_layers();
  EXPECT_EQ(here.answer("m::only"), R"(["one", "two"])");
  EXPECT_EQ(here.answer("m::hash"), R"({"a"=>1})");
  EXPECT_EQ(here.answer("m::hash.b"), "2");
}

TEST(Layers, EnvironmentsAndModulePaths) {
  World here(World::Files{{"environment.conf", "modulepath = site:$basemodulepath\n"},
                          {"site/s/hiera.yaml", "version: 5\n"},
                          {"site/s/data/common.yaml", "s::k: site\n"},
                          {"modules/m/hiera.yaml", "version: 5\n"},
                          {"modules/m/data/common.yaml", "m::k: hidden\n"},
                          {"/code/modules/b/hiera.yaml", "version: 5\n"},
                          {"/code/modules/b/data/common.yaml", "b::k: base\n"}});
  EXPECT_EQ(here.answer("s::k"), R"("site")");
  EXPECT_EQ(here.answer("b::k"), R"("base")");
  EXPECT_TRUE(here.answer("m::k").starts_with("hiera.not-found"));
  EXPECT_EQ(modules(here.settings, here.session), (std::vector<std::string>{"b", "s"}));
  World none(World::Files{{"data/common.yaml", "k: v\n"}});
  EXPECT_TRUE(none.answer("k").starts_with("hiera.not-found"));
  World missing(World::Files{{"hiera.yaml", ""}}, "{}", {.environment = "staging"});
  EXPECT_EQ(missing.answer("k"), "hiera.environment: Could not find a directory environment named 'staging'");
}

TEST(Layers, NamesThatPuppetDoesNotTakeAreNoModulesAndNoEnvironments) {
  World::Files files{{"/code/environments/my-env/data/x.yaml", "k: v\n"}};
  for (const std::string_view name : {"Mod", "1mod", "_mod", "mo-d", "mod", "m_0"}) {
    files.insert_or_assign(fmt::format("modules/{}/hiera.yaml", name), "version: 5\n");
    files.insert_or_assign(fmt::format("modules/{}/data/common.yaml", name), fmt::format("{}::k: found\n", name));
  }
  World here(files);
  for (const std::string_view name : {"mod", "m_0"}) EXPECT_EQ(here.answer(fmt::format("{}::k", name)), R"("found")");
  for (const std::string_view name : {"Mod", "1mod", "_mod", "mo-d"})
    EXPECT_TRUE(here.answer(fmt::format("{}::k", name)).starts_with("hiera.not-found")) << name;
  World dashed(files, "{}", {.environment = "my-env"});
  EXPECT_EQ(dashed.answer("k"), "hiera.environment: Could not find a directory environment named 'my-env'");
}

TEST(Layers, EnvironmentConfIsReadAsPuppetReadsIt) {
  const auto answer = [](std::string_view conf) {
    return World(World::Files{{"environment.conf", std::string(conf)},
                              {"site/m/hiera.yaml", "version: 5\n"},
                              {"site/m/data/common.yaml", "m::k: site\n"},
                              {"modules/m/hiera.yaml", "version: 5\n"},
                              {"modules/m/data/common.yaml", "m::k: modules\n"}})
        .answer("m::k");
  };
  for (const std::string_view conf :
       {"[main]\nmodulepath = site\n", "modulepath = site\nmodulepath = modules\n", "modulepath = s*te:modules",
        "modulepath = site::modules:", "modulepath = $environmentpath/production/site",
        "modulepath = site {mode = 0644}", "# a = b\r\n\r\n modulepath\t= \"site\"\r\n",
        "modulepath = $vardir/modules:site:modules",
        "[other]\nmodulepath = modules\n[main]\nmodulepath = ./site//\n"}) {
    EXPECT_EQ(answer(conf), R"("site")") << conf;
  }
  for (const std::string_view conf : {"[other]\nmodulepath = site\n", "manifest = site.pp\n",
                                      "modulepath = $codedir/environments/$environment/site:modules"}) {
    EXPECT_EQ(answer(conf), R"("modules")") << conf;
  }
  EXPECT_TRUE(answer("modulepath = $codedir/environments/production/s*te").starts_with("hiera.not-found"));
  EXPECT_TRUE(answer("modulepath =\n").starts_with("hiera.not-found"));
  EXPECT_TRUE(answer("modulepath = 'site' {mode = 0644}\n").starts_with("hiera.not-found"))
      << "the second quote is not at the end";
  for (const auto& [conf, told] :
       {std::pair("modulepath = $nope/site", "Could not find value for $nope"),
        std::pair("modulepath = ${codedir}/modules", "Could not parse 'codedir'"),
        std::pair("modulepath = site {size = 1}", "Invalid file option 'size'"),
        std::pair("modulepath = site {mode = x}", "File modes must be numbers"),
        std::pair("manifest = a\nmodulepath : site\n", "Could not match line modulepath : site"),
        std::pair("\xEF\xBB\xBFmodulepath = site", "Could not match line \xEF\xBB\xBFmodulepath = site"),
        std::pair("modulepath = true", "modulepath is true, and no path")}) {
    EXPECT_EQ(answer(conf), fmt::format("hiera.environment-conf: {}", told)) << conf;
  }
}

TEST(Layers, DataProvidersOfPuppet4) {
  constexpr std::string_view kMissing = "hiera.not-found";
  const auto metadata = [](std::string_view provider) {
    return fmt::format(
        R"({{"name": "a-m", "version": "1.0.0", "author": "a", "license": "a", "source": "a", "dependencies": [], "data_provider": "{}"}})",
        provider);
  };
  struct Row {
    std::string_view provider;
    std::string_view config;  ///< Empty: there is none.
    bool has_data;
    std::string_view told;
  };
  for (const Row& row : std::initializer_list<Row>{
           {"hiera", "", true, "is deprecated ["},
           {"hiera", "version: 4\n", true, "is deprecated ["},
           {"none", "", false, "is deprecated: it gives no data ["},
           {"none", "version: 4\n", false, "is deprecated: it gives no data ["},
           {"none", "version: 5\n", true, "is deprecated, and ignored beside a hiera.yaml of version 5 ["},
           {"function", "", false, "asks a function for data, which strata cannot: there are none ["},
       }) {
    World::Files files{{"environment.conf", fmt::format("environment_data_provider = {}\n", row.provider)},
                       {"data/common.yaml", "k: v\n"},
                       {"modules/m/metadata.json", metadata(row.provider)},
                       {"modules/m/data/common.yaml", "m::k: w\n"}};
    if (!row.config.empty()) files["hiera.yaml"] = files["modules/m/hiera.yaml"] = row.config;
    World here(files);
    const auto has_data = [&](const std::string& answer) { return !answer.starts_with(kMissing); };
    EXPECT_EQ(has_data(here.answer("k")), row.has_data) << row.provider << row.config;
    EXPECT_EQ(has_data(here.answer("m::k")), row.has_data) << row.provider << row.config;
    EXPECT_NE(here.warnings().find(fmt::format("environment.conf:1:1: warning: environment_data_provider = {} {}",
                                               row.provider, row.told)),
              std::string::npos)
        << here.warnings();
    EXPECT_NE(here.warnings().find(
                  fmt::format(R"(metadata.json:1:120: warning: "data_provider": "{}" {})", row.provider, row.told)),
              std::string::npos)
        << here.warnings();
  }
  World other(World::Files{{"environment.conf", "environment_data_provider = mine\n"}});
  EXPECT_EQ(other.answer("k"), "hiera.data-provider: environment_data_provider = mine names no data provider");
}

TEST(Layers, AConfigurationThatIsNamedAndMissingIsTold) {
  World here(World::Files{
      {"hiera.yaml", "version: 5\n"}, {"data/common.yaml", "k: v\n"}, {"/code/hiera.yaml", "version: 5\n"}});
  here.settings.hiera_config = "/code/hieraa.yaml";
  EXPECT_EQ(here.answer("k"), R"("v")");
  EXPECT_EQ(here.warnings(),
            "/code/hieraa.yaml: warning: there is no such hiera.yaml: the global layer has no data [hiera.no-config]\n"
            "hint: say where it is with --hiera-config FILE\n");
}

TEST(LookupOptions, NamesBeforePatternsAndLowPatternsFirst) {
  World here(World::Files{{"hiera.yaml", levels({"high.yaml", "low.yaml"})},
                          {"data/high.yaml", R"(
lookup_options:
  "^a": {merge: unique}
  "^p.*x$": {merge: deep}
  name: {}
  none: ~
  both: {convert_to: Array}
  text: odd
a: [1]
aa: [1]
px: [1]
name: [1]
none: [1]
both: [1]
text: [1]
k.dotted: [1]
)"},
                          {"data/low.yaml", R"(
lookup_options:
  "^p": {merge: unique}
  "^n": {merge: unique}
  "^b": {merge: unique}
  both: {merge: unique}
  "k.dotted": {merge: unique}
a: [2, 1]
aa: [2, 1]
px: [2, 1]
name: [2]
none: [2]
both: [2]
text: [2]
k.dotted: [2]
)"}});
  EXPECT_EQ(here.answer("a"), "[1, 2]");
  EXPECT_EQ(here.answer("aa"), "[1, 2]");
  // The lower source's pattern stands first, so that it decides although a pattern above fits, too.
  EXPECT_EQ(here.answer("px"), "[1, 2]");
  EXPECT_EQ(here.answer("name"), "[1]");
  EXPECT_EQ(here.answer("none"), "[1, 2]");
  // The whole entry of a name is replaced.
  EXPECT_EQ(here.answer("both"), "[1]");
  EXPECT_EQ(here.answer("text"), "[1]");
  EXPECT_NE(here.warnings().find("the options of 'text' are not a mapping"), std::string::npos);
  // An explicit merge beats them.
  EXPECT_EQ(here.answer("a", "first"), "[1]");
  EXPECT_EQ(here.answer("'k.dotted'"), "[1, 2]");
  EXPECT_EQ(here.answer("lookup_options"),
            "hiera.not-found: Function lookup() did not find a value for the name 'lookup_options'");
  EXPECT_EQ(here.answer("lookup_options.a"),
            "hiera.not-found: Function lookup() did not find a value for the name 'lookup_options.a'");
}

TEST(LookupOptions, Errors) {
  const auto told = [](const std::string& options, const std::string& key = "k") {
    World here(World::Files{{"hiera.yaml", "version: 5\n"}, {"data/common.yaml", "k: [1]\n" + options + "\n"}});
    return here.answer(key);
  };
  EXPECT_EQ(told("lookup_options: text"), "hiera.lookup-options: value of lookup_options must be a hash");
  EXPECT_EQ(told("lookup_options: {5: {}}"),
            "hiera.lookup-options: all lookup_options keys must be text, got an integer");
  EXPECT_EQ(told("lookup_options: ~"), "[1]");
  EXPECT_TRUE(told("lookup_options: {'^[': {}}").starts_with("regex.syntax: ")) << told("lookup_options: {'^[': {}}");
  EXPECT_TRUE(told("lookup_options: {k: {merge: deepest}}").starts_with("hiera.merge-options: "));
  EXPECT_TRUE(
      told("lookup_options: {k: {merge: {strategy: hash, knockout_prefix: x}}}").starts_with("hiera.merge-options: "));
  EXPECT_EQ(told("lookup_options: {k: {convert_to: Frob}}"),
            "hiera.convert-to: Invalid data type in lookup_options for key 'k' could not parse 'Frob', error: 'unknown "
            "type 'Frob' at column 1'");
  EXPECT_TRUE(told("lookup_options: {k: {convert_to: Integer}}")
                  .starts_with("hiera.convert-to: The convert_to lookup_option for key 'k' raised error: "));
  EXPECT_TRUE(told("lookup_options: {k: {merge: \"%{lookup('k')}\"}}").starts_with("hiera.recursion: "))
      << told("lookup_options: {k: {merge: \"%{lookup('k')}\"}}");
}

TEST(LookupOptions, ModulesSpeakOfTheirOwnNames) {
  const auto told = [](const std::string& options, const std::string& key) {
    World here(World::Files{{"hiera.yaml", "version: 5\n"},
                            {"data/common.yaml", "other: 1\nm::k: 1\n"},
                            {"modules/m/hiera.yaml", "version: 5\n"},
                            {"modules/m/data/common.yaml", "lookup_options: " + options + "\nm::k: 2\n"}});
    return here.answer(key);
  };
  EXPECT_EQ(told("{other: {merge: unique}}", "m::k"),
            "hiera.lookup-options: all lookup_options keys must start with module name 'm'");
  EXPECT_EQ(told("{'^(m)::k': {merge: unique}}", "m::k"),
            "hiera.lookup-options: all lookup_options patterns must match a key starting with module name 'm'");
  EXPECT_EQ(told("{other: {merge: unique}}", "other"), "1");
  EXPECT_EQ(told("{'^m::k$': {merge: unique}}", "m::k"), "[1, 2]");
}

}  // namespace
}  // namespace strata::hiera
