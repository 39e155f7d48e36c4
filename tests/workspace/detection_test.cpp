// SPDX-License-Identifier: Apache-2.0
// Which folders are projects, by what they hold.
#include <gtest/gtest.h>

#include "strata/error.hpp"
#include "strata/stop.hpp"
#include "support/expect_error.hpp"
#include "trees.hpp"

namespace strata::workspace {
namespace {

using testing::Files;
using testing::found_in;
using testing::told;

std::string setting(const Project& project, std::string_view name) {
  const Setting* found = project.find(name);
  return found == nullptr ? "<none>" : found->values.at(0);
}

TEST(Detection, CodeDirectory) {
  const Found found = found_in({{"c/environments/production/hiera.yaml", ""}, {"c/environments/test/hiera.yaml", ""}});
  EXPECT_EQ(told(found), "c lookup /c code-directory\n");
  EXPECT_EQ(setting(found.projects[0], "codedir"), ".");
  EXPECT_EQ(setting(found.projects[0], "environment"), "<none>");
  EXPECT_EQ(told(found_in({{"c/hiera.yaml", ""}, {"c/environments/x/README", ""}})), "c lookup /c code-directory\n");
  // Without the default environment, the first one.
  EXPECT_EQ(setting(found_in({{"c/environments/b/hiera.yaml", ""}, {"c/environments/a/x", ""}}).projects.at(0),
                    "environment"),
            "b");
  EXPECT_EQ(told(found_in({{"c/environments/a/x", ""}})), "");
}

TEST(Detection, ControlRepository) {
  for (const char* beside :
       {"environment.conf", "Puppetfile", "manifests/site.pp", "site.pp", "data/common.yaml", "modules/a/b"}) {
    const Found found = found_in({{"r/hiera.yaml", "version: 5\n"}, {std::string("r/") + beside, ""}});
    EXPECT_EQ(told(found), "r lookup /r control-repository\n") << beside;
    EXPECT_EQ(setting(found.projects.at(0), "environment-root"), ".");
  }
  EXPECT_EQ(told(found_in({{"r/hiera.yaml", "version: 5\n"}})), "");
  EXPECT_EQ(told(found_in({{"r/hiera.yaml", "hierarchy: []\n"}, {"r/site.pp", ""}})), "");
  EXPECT_EQ(told(found_in({{"r/hiera.yaml", "- version\n"}, {"r/site.pp", ""}})), "");
  EXPECT_EQ(told(found_in({{"r/hiera.yaml", "{version: "}, {"r/site.pp", ""}})), "");
}

TEST(Detection, BindingsSite) {
  const Found found = found_in({{"s/environments.pp", ""}});
  EXPECT_EQ(told(found), "s inject /s bindings-site\n");
  EXPECT_EQ(setting(found.projects.at(0), "confdir"), ".");
  EXPECT_EQ(told(found_in({{"s/strata.yaml", ""}, {"s/bindings/a.pp", ""}})), "s inject /s bindings-site\n");
  EXPECT_EQ(told(found_in({{"s/strata.yaml", ""}})), "");
}

TEST(Detection, SiteDefinitions) {
  const std::string head = "---\nschema: pegleg/SiteDefinition/v1\ndata: ";
  const Found found = found_in({{"d/site/a/site-definition.yaml", head + "{site_type: edge}\n"},
                                {"d/site/b/site-definition.yaml", head + "{site_type: ../../etc}\n"},
                                {"d/site/c/site-definition.yaml", "schema: other\n"},
                                {"d/type/edge/x.yaml", ""},
                                {"d/global/policy.yaml", "schema: deckhand/LayeringPolicy/v1\n"}});
  ASSERT_EQ(told(found), "d render /d site-definitions\n");
  const auto& members = *found.projects[0].members;
  ASSERT_EQ(members.size(), 2U);
  EXPECT_EQ(members[0].name, "a");
  EXPECT_EQ(members[0].words, (std::vector<std::string>{"--pegleg-site=a", "."}));
  EXPECT_EQ(members[1].words, (std::vector<std::string>{"--pegleg-site=b", "."}));
}

TEST(Detection, LayeringPolicy) {
  const Found found = found_in({{"d/x/all.yaml", "a: 1\n---\nschema: deckhand/LayeringPolicy/v1\n"}});
  EXPECT_EQ(told(found), "x render /d/x layering-policy\n");
  EXPECT_EQ(found.projects[0].args, std::vector<std::string>{"."});
  EXPECT_EQ(told(found_in({{"d/a.yaml", "name: deckhand/LayeringPolicy/v1\n"}})), "");
}

TEST(Detection, Inventory) {
  EXPECT_EQ(told(found_in({{"i/targets/eu/prod/a.yaml", ""}, {"i/classes/a.yml", ""}})), "i inventory /i inventory\n");
  EXPECT_EQ(told(found_in({{"i/nodes/a.yml", ""}, {"i/classes/a.txt", ""}})), "i inventory /i inventory\n");
  EXPECT_EQ(told(found_in({{"i/reclass-config.yml", ""}})), "i inventory /i inventory\n");
  EXPECT_EQ(told(found_in({{"i/nodes/a.pp", ""}, {"i/classes/a.pp", ""}})), "");
  EXPECT_EQ(told(found_in({{"i/nodes/a.yml", ""}})), "");
}

TEST(Detection, BaseConfiguration) {
  const Found found = found_in({{"etc/cloud.cfg", ""}, {"etc/cloud.cfg.d/a.cfg", ""}});
  EXPECT_EQ(told(found), "etc merge /etc base-configuration\n");
  EXPECT_EQ(setting(found.projects[0], "base"), "cloud.cfg");
  EXPECT_EQ(told(found_in({{"etc/cloud.cfg", ""}})), "");
}

TEST(Detection, CloudConfig) {
  const Found one = found_in({{"m/-web.yaml", "#cloud-config\n"},
                              {"m/archive.yaml", "#cloud-config-archive\n"},
                              {"m/x.md", "#cloud-config\n"}});
  EXPECT_EQ(told(one), "m merge /m cloud-config\n");
  EXPECT_EQ(one.projects[0].args, std::vector<std::string>{"./-web.yaml"});
  const Found several = found_in(
      {{"m/user-data", "#cloud-config"}, {"m/web.yaml", "#cloud-config\r\n"}, {"m/web.yml", "#cloud-config\n"}});
  ASSERT_EQ(told(several), "m merge /m cloud-config\n");
  std::string names;
  for (const Member& member : *several.projects[0].members) names += member.name + ":" + member.words.at(0) + " ";
  EXPECT_EQ(names, "user-data:user-data web:web.yaml web.yml:web.yml ");
}

TEST(Detection, FirstRuleTakesTheFolderAndWhatIsBelow) {
  EXPECT_EQ(told(found_in({{"c/environments/p/hiera.yaml", ""},
                           {"c/environments.pp", ""},
                           {"c/below/cloud.cfg", ""},
                           {"c/below/cloud.cfg.d/x", ""}})),
            "c lookup /c code-directory\n");
}

TEST(Detection, FilesBelowWin) {
  const Files files{{"a/.strata.yaml", "projects: {s: {verb: merge}}"},
                    {"a/environments.pp", ""},
                    {"b/s/environments.pp", ""},
                    {"c/.strata.yaml", "projects: {}"},
                    {"c/environments.pp", ""}};
  const Found found = found_in(files);
  EXPECT_EQ(found.file, "");
  EXPECT_EQ(told(found), "s merge /a file\ns-2 inject /b/s bindings-site\n");
  STRATA_EXPECT_ERROR(found_in({{"a/.strata.yaml", "projects: 1"}}), "workspace.value");
}

TEST(Detection, NamesAreUnique) {
  EXPECT_EQ(told(found_in({{"a/s/environments.pp", ""},
                           {"b/s/environments.pp", ""},
                           {"c/s/environments.pp", ""},
                           {"d/s-2/environments.pp", ""}})),
            "s inject /a/s bindings-site\ns-2 inject /b/s bindings-site\ns-3 inject /c/s bindings-site\ns-2-2 inject "
            "/d/s-2 bindings-site\n");
  EXPECT_EQ(told(found_in({{"environments.pp", ""}})), "project inject / bindings-site\n");
}

TEST(Detection, LeavesOut) {
  const Files files{{"a/b/c/d/environments.pp", ""},
                    {"a/b/c/e/f/environments.pp", ""},
                    {".git/x/environments.pp", ""},
                    {"node_modules/environments.pp", ""}};
  EXPECT_EQ(told(found_in(files)), "d inject /a/b/c/d bindings-site\n");
  const auto tree = memory_tree(files);
  const auto leaves_out = [](std::string_view path) { return path == "/a/b"; };
  EXPECT_EQ(told(find_projects(
                *tree, {.folder = "/", .root = {}, .working_folder = {}, .is_left_out = leaves_out, .limits = {}})),
            "");
}

TEST(Detection, IsBounded) {
  Files files;
  for (int i = 0; i < 10'001; ++i) files.emplace("f" + std::to_string(i) + "/x", "");
  STRATA_EXPECT_ERROR(found_in(files), "workspace.large");
  Stop stop;
  stop.end_at(Stop::Clock::now());
  Limits limits;
  limits.stop = &stop;
  STRATA_EXPECT_ERROR(
      find_projects(*memory_tree({{"a/x", ""}}),
                    {.folder = "/", .root = {}, .working_folder = {}, .is_left_out = nullptr, .limits = limits}),
      "limit.time");
}

TEST(Detection, WorksOverEditsOfAnyTree) {
  const std::shared_ptr<const FileTree> under = memory_tree({{"s/environments.pp", ""}});
  const auto tree = edited_tree(under, {{"/s/environments.pp", std::nullopt}, {"/t/environments.pp", ""}});
  EXPECT_EQ(told(find_projects(
                *tree, {.folder = "/", .root = {}, .working_folder = {}, .is_left_out = nullptr, .limits = {}})),
            "t inject /t bindings-site\n");
}

}  // namespace
}  // namespace strata::workspace
