// SPDX-License-Identifier: Apache-2.0
// What Kapitan's rules change, and how an inventory is found. The conformance vectors hold the rules case by case.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "strata/reclass.hpp"
#include "strata/text.hpp"
#include "support/expect_error.hpp"
#include "support/sessions.hpp"

namespace strata::reclass {
namespace {

using KapitanFiles = std::map<std::string, std::string>;

std::string member(const KapitanFiles& files, Settings settings, const std::string& name) {
  Session session = testing::test_session(files);
  settings.nodes = "targets";
  std::string out =
      text::write_json(*inventory({.settings = settings, .node = "n"}, session).node.value.find(name), {.indent = -1});
  out.pop_back();
  return out;
}

TEST(Kapitan, ApplicationsAreRemovedFromAllThatCameBefore) {
  const KapitanFiles files{{"targets/n.yml", "classes: [a, b]\n"},
                           {"classes/a.yml", "applications: [x, y]\n"},
                           {"classes/b.yml", "applications: [~x, z]\n"}};
  EXPECT_EQ(member(files, default_settings(Compat::kapitan), "applications"), R"(["y", "z"])");
  EXPECT_EQ(member(files, default_settings(Compat::reclass), "applications"), R"(["x", "y", "z"])");
}

TEST(Kapitan, NamesOfClassesReferToAllThatWasMergedBefore) {
  // In reclass, the classes of `b` come first: what the node has merged counts if they do not have `sel`.
  const KapitanFiles files{{"targets/n.yml", "classes: [a, b]\n"},
                           {"classes/a.yml", "parameters: {sel: x}\n"},
                           {"classes/b.yml", "classes: [c, 'r.${sel}']\n"},
                           {"classes/c.yml", "parameters: {sel: y}\n"},
                           {"classes/r/x.yml", ""},
                           {"classes/r/y.yml", ""}};
  EXPECT_EQ(member(files, default_settings(Compat::kapitan), "classes"), R"(["c", "r.${sel}", "a", "b"])");
  const KapitanFiles other{{"targets/n.yml", "classes: [a, b]\n"},
                           {"classes/a.yml", "parameters: {sel: {k: 1}}\n"},
                           {"classes/b.yml", "classes: [c, 'r.${sel:k}${sel:j}']\n"},
                           {"classes/c.yml", "parameters: {sel: {j: 2}}\n"},
                           {"classes/r/12.yml", "parameters: {found: 1}\n"}};
  EXPECT_NE(member(other, default_settings(Compat::kapitan), "parameters").find(R"("found": 1)"), std::string::npos);
  STRATA_EXPECT_ERROR((void)member(other, default_settings(Compat::reclass), "parameters"), "reclass.class-reference");
}

TEST(Kapitan, AutomaticParametersComeAfterMappedClasses) {
  Session session = testing::test_session(
      {{"targets/n.yml", ""}, {"classes/m.yml", "parameters: {_reclass_: {name: {short: mine}, own: 1}}\n"}});
  Settings settings = default_settings(Compat::kapitan);
  read_config(settings, session, session.sources().add("reclass-config.yml", "class_mappings: ['* m']\n"), {});
  const Value name = *inventory({.settings = settings, .node = "n"}, session)
                          .node.value.find("parameters")
                          ->find("_reclass_")
                          ->find("name");
  EXPECT_EQ(name.find("short")->text(), "n");
  EXPECT_EQ(name.find("path")->text(), "n");
}

TEST(Kapitan, SettingsThatAreNotSupportedAreNamed) {
  Session session = testing::test_session({});
  Settings settings = default_settings(Compat::kapitan);
  try {
    read_config(settings, session, session.sources().add("i/reclass-config.yml", "a: 1\ndelimiter: '/'\n"), {});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostic().code, "reclass.config");
    EXPECT_NE(format(error.diagnostic(), "error").find("i/reclass-config.yml:2:12"), std::string::npos);
    EXPECT_NE(error.diagnostic().message.find("'delimiter'"), std::string::npos);
  }
}

TEST(Kapitan, ConstantsMayStay) {
  Settings settings = default_settings(Compat::kapitan);
  settings.replacing.constants_stay = true;
  const KapitanFiles files{{"targets/n.yml", "classes: [a]\nparameters: {k: 2, m: {x: 3}, ~l: [2], '=k': 5}\n"},
                           {"classes/a.yml", "parameters: {=k: 1, =m: {x: 1}, =l: [1]}\n"}};
  EXPECT_NE(member(files, settings, "parameters").find(R"("k": 1, "m": {"x": 1}, "l": [1]})"), std::string::npos)
      << member(files, settings, "parameters");
}

TEST(Kapitan, AScalarBecomesTheFirstItem) {
  Settings settings = default_settings(Compat::kapitan);
  settings.replacing.list_over_scalar = true;
  const KapitanFiles files{{"targets/n.yml", "classes: [a]\nparameters: {k: [2], r: [3], e: [], n: [4]}\n"},
                           {"classes/a.yml", "parameters: {k: 1, r: '${k2}', k2: x, e: y, n: null}\n"}};
  EXPECT_NE(
      member(files, settings, "parameters").find(R"("k": [1, 2], "r": ["x", 3], "k2": "x", "e": ["y"], "n": [4])"),
      std::string::npos)
      << member(files, settings, "parameters");
}

TEST(FindInventory, LooksAtWhatFoldersHold) {
  struct Row {
    KapitanFiles files;
    const char* folder;
    const char* base;
    Compat compat;
  };
  using enum Compat;
  for (const Row& row : std::vector<Row>{
           {{{"nodes/a.yml", ""}, {"classes/a.yml", ""}}, "", "", reclass},
           {{{"targets/a.yml", ""}, {"classes/a.yml", ""}}, "", "", kapitan},
           {{{"targets/a.yml", ""}, {"nodes/a.yml", ""}, {"classes/a.yml", ""}}, "", "", reclass},
           {{{"inventory/targets/a.yml", ""}, {"inventory/classes/a.yml", ""}}, "", "inventory", kapitan},
           {{{"inventory/nodes/a.yml", ""}, {"inventory/classes/a.yml", ""}}, "", "", reclass},
           {{{".kapitan", ""}, {"inventory/x/a.yml", ""}}, "", "inventory", kapitan},
           {{{".kapitan", "compile: {inventory-path: ./inv/}\n"}, {"inv/hosts/a.yml", ""}}, "", "inv", kapitan},
           {{{".kapitan", "global: {inventory-path: inv}\n"}}, "", "inv", kapitan},
           {{{".kapitan", "a: 1\n"}, {"i/nodes/a.yml", ""}}, "i", "i", kapitan},
           {{{"p/inventory/targets/a.yml", ""}, {"p/inventory/classes/a.yml", ""}}, "p", "p/inventory", kapitan},
           {{{"p/reclass-config.yml", ""}, {"p/inventory/targets/a.yml", ""}}, "p", "p", reclass},
           {{}, "", "", reclass}}) {
    Session session = testing::test_session(row.files);
    const InventoryPlace place = find_inventory(row.folder, session);
    EXPECT_EQ(place.base, row.base) << (row.files.empty() ? "" : row.files.begin()->first);
    EXPECT_EQ(place.compat, row.compat) << (row.files.empty() ? "" : row.files.begin()->first);
  }
  Session session = testing::test_session({{".kapitan", "global: {inventory-path: [1]}\n"}});
  STRATA_EXPECT_ERROR((void)find_inventory("", session), "reclass.config");
}

TEST(FindInventory, ReadsOptionsOfKapitan) {
  const auto found = [](const std::string& options) {
    Session session = testing::test_session({{".kapitan", options}, {"inventory/targets/a.yml", ""}});
    const InventoryPlace place = find_inventory("", session);
    return std::pair(place.composes_node_names, session.diagnostics().warnings().size());
  };
  EXPECT_EQ(found("global: {compose-target-name: true}\n"), std::pair(true, std::size_t{0}));
  EXPECT_EQ(found("compile: {compose-node-name: true}\nglobal: {compose-node-name: false}\n"),
            std::pair(true, std::size_t{0}));
  EXPECT_EQ(found("global: {inventory-backend: omegaconf}\n"), std::pair(false, std::size_t{1}));
  EXPECT_EQ(found("global: {inventory-backend: reclass-rs}\n"), std::pair(false, std::size_t{0}));
  Session session = testing::test_session({{".kapitan", "global: {compose-target-name: 1}\n"}});
  STRATA_EXPECT_ERROR((void)find_inventory("", session), "reclass.config");
}

}  // namespace
}  // namespace strata::reclass
