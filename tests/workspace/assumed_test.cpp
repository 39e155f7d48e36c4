// SPDX-License-Identifier: Apache-2.0
// Nodes for questions that name none.
#include <gtest/gtest.h>

#include "strata/error.hpp"
#include "support/expect_error.hpp"
#include "trees.hpp"

namespace strata::workspace {
namespace {

using testing::Files;

/// The nodes of a control repository with these paths in its hierarchy, as `NAME{VARIABLE=VALUE}`.
std::string assumed(const std::string& hierarchy, Files files) {
  files.emplace("r/hiera.yaml", hierarchy);
  const Project project{
      .name = "r",
      .verb = "lookup",
      .settings = {{.name = "environment-root", .kind = Setting::Kind::value, .is_on = true, .values = {"."}}},
      .folder = "/r"};
  std::string out;
  for (const AssumedNode& node : assumed_nodes(project, *memory_tree(std::move(files)), {})) {
    out += node.name + "{";
    for (const auto& variable : node.variables) {
      for (const std::string& part : variable.path) out += part + ".";
      out += "=" + variable.value + ";";
    }
    out += "}";
  }
  return out;
}

std::string paths(const std::string& list) { return "version: 5\nhierarchy: [{name: x, paths: [" + list + "]}]\n"; }

TEST(Assumed, ANodeForEachFile) {
  EXPECT_EQ(assumed(paths("'nodes/%{trusted.certname}.yaml', common.yaml"), {{"r/data/nodes/b.yaml", ""},
                                                                             {"r/data/nodes/a.yaml", ""},
                                                                             {"r/data/nodes/a.md", ""},
                                                                             {"r/data/nodes/.x.yaml", ""},
                                                                             {"r/data/common.yaml", ""}}),
            "a{trusted.certname.=a;}b{trusted.certname.=b;}");
  EXPECT_EQ(
      assumed(paths("'%{facts.os.family}/%{::role}.yaml'"), {{"r/data/Debian/web.yaml", ""}, {"r/data/x.yaml", ""}}),
      "os.family=Debian,role=web{os.family.=Debian;role.=web;}");
  EXPECT_EQ(assumed(paths("'%{a}-%{b}.yaml'"), {{"r/data/x-y-z.yaml", ""}}), "a=x,b=y-z{a.=x;b.=y-z;}");
  EXPECT_EQ(assumed(paths("'%{a}/%{a}.yaml'"), {{"r/data/x/x.yaml", ""}, {"r/data/x/y.yaml", ""}}), "a=x{a.=x;}");
  EXPECT_EQ(assumed(paths("'%{environment}/%{facts.\"a\"}.yaml'"),
                    {{"r/data/production/v.yaml", ""}, {"r/data/test/w.yaml", ""}}),
            "a=v{a.=v;}");
  // The same is known of both, and different things are known of nodes with one name.
  EXPECT_EQ(assumed(paths("'n/%{role}.yaml', 'm/%{role}.yaml'"), {{"r/data/n/a.yaml", ""}, {"r/data/m/a.yaml", ""}}),
            "role=a{role.=a;}");
  EXPECT_EQ(
      assumed(paths("'n/%{fqdn}.yaml', 'm/%{clientcert}.yaml'"), {{"r/data/n/a.yaml", ""}, {"r/data/m/a.yaml", ""}}),
      "a{clientcert.=a;}a-2{fqdn.=a;}");
}

TEST(Assumed, Globs) {
  EXPECT_EQ(assumed("version: 5\nhierarchy: [{name: x, glob: 'n/%{role}/*.yaml'}]\n",
                    {{"r/data/n/web/a.yaml", ""}, {"r/data/n/web/b.yaml", ""}}),
            "role=web{role.=web;}");
  EXPECT_EQ(assumed("version: 5\nhierarchy: [{name: x, glob: '**/%{role}.yaml'}]\n", {{"r/data/web.yaml", ""}}), "");
}

TEST(Assumed, WhatFilesCannotTell) {
  for (const char* path : {"%{lookup('x')}", "%{module_name}", "%{a.0}", "%{a}%{b}", "%{}", "%{role::x}",
                           "%{trusted.other}", "%{facts.name}", "%{open", "%{server_facts.x}", "%{facts.trusted.x}"}) {
    EXPECT_EQ(assumed(paths("\"" + std::string(path) + ".yaml\""), {{"r/data/v.yaml", ""}}), "") << path;
  }
  EXPECT_EQ(assumed("{version: 5", {{"r/data/v.yaml", ""}}), "");
  EXPECT_EQ(assumed("version: 9\n", {{"r/data/v.yaml", ""}}), "");
}

TEST(Assumed, CodeDirectories) {
  const Project project{
      .name = "c",
      .verb = "lookup",
      .settings = {{.name = "codedir", .values = {"code"}}, {.name = "environment", .values = {"test"}}},
      .folder = "/c"};
  const auto tree = memory_tree({{"c/code/hiera.yaml", paths("'%{global}.yaml'")},
                                 {"c/code/data/g.yaml", ""},
                                 {"c/code/environments/test/hiera.yaml", paths("'%{own}.yaml'")},
                                 {"c/code/environments/test/data/o.yaml", ""},
                                 {"c/code/environments/production/hiera.yaml", paths("'%{other}.yaml'")},
                                 {"c/code/environments/production/data/p.yaml", ""}});
  const auto nodes = assumed_nodes(project, *tree, {});
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[0].name, "global=g");
  EXPECT_EQ(nodes[1].name, "own=o");
}

TEST(Assumed, IsBounded) {
  Files files;
  for (int i = 0; i <= 100'000; ++i) files.emplace("r/data/" + std::to_string(i) + ".yaml", "");
  STRATA_EXPECT_ERROR(assumed(paths("'%{a}.yaml'"), std::move(files)), "workspace.large");
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "a/";
  EXPECT_EQ(assumed(paths("'" + deep + "%{a}.yaml'"), {{"r/data/v.yaml", ""}}), "");
}

TEST(Assumed, Lists) {
  const std::vector<AssumedNode> nodes{
      {.name = "a",
       .variables = {{.path = {"trusted", "certname"}, .value = "a"}, {.path = {"os", "family"}, .value = "D"}}},
      {.name = "b", .variables = {{.path = {"fqdn"}, .value = "b"}}}};
  std::string line;
  for (const char c : node_list(nodes)) {
    if (c != ' ' && c != '\n') line += c;
  }
  EXPECT_EQ(line, R"([{"name":"a","facts":{"os":{"family":"D"}},"trusted":{"certname":"a"}},)"
                  R"({"name":"b","facts":{"clientcert":null,"domain":null,"fqdn":"b","hostname":null}}])");
  EXPECT_EQ(node_list({}), "[]\n");
}

TEST(Assumed, FactsFolders) {
  const auto of = [](Files files, Project project) {
    return facts_folder(project, *memory_tree(std::move(files)), {});
  };
  const Project site{.name = "s",
                     .verb = "inject",
                     .settings = {{.name = "confdir", .kind = Setting::Kind::value, .is_on = true, .values = {"site"}}},
                     .folder = "/p"};
  EXPECT_EQ(of({{"p/site/facts/a.yaml", ""}, {"p/site/spec/facts/a.json", ""}, {"p/nodes/a.yaml", ""}}, site),
            "/p/site/facts");
  EXPECT_EQ(of({{"p/site/facts/README", ""}, {"p/site/spec/facts/a.json", ""}}, site), "/p/site/spec/facts");
  EXPECT_EQ(of({{"p/nodes/a.yml", ""}}, site), "/p/nodes");
  EXPECT_EQ(of({{"var/lib/puppet/yaml/facts/a.yaml", ""}}, site), "/var/lib/puppet/yaml/facts");
  EXPECT_EQ(of({{"p/nodes/sub/a.yaml", ""}}, site), "");
  // A folder that a hierarchy names holds data.
  const Project data{
      .name = "r",
      .verb = "lookup",
      .settings = {{.name = "environment-root", .kind = Setting::Kind::value, .is_on = true, .values = {"."}}},
      .folder = "/r"};
  const std::string hiera = "version: 5\nhierarchy: [{name: x, datadir: ., path: 'nodes/%{trusted.certname}.yaml'}]\n";
  EXPECT_EQ(of({{"r/hiera.yaml", hiera}, {"r/nodes/a.yaml", ""}}, data), "");
  EXPECT_EQ(of({{"r/hiera.yaml", hiera}, {"r/nodes/a.yaml", ""}, {"r/facts/a.yaml", ""}}, data), "/r/facts");
}

}  // namespace
}  // namespace strata::workspace
