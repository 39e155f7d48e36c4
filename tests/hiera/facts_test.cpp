// SPDX-License-Identifier: Apache-2.0
// Facts and what else variables can name.
#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "world.hpp"

namespace strata::hiera {
namespace {

using testing::World;

/// What a text becomes in a world with these facts.
std::string filled(std::string_view text, std::string_view facts) {
  World here(World::Files{{"hiera.yaml", "version: 5\n"}, {"data/common.yaml", "k: \"" + std::string(text) + "\"\n"}},
             facts);
  return here.answer("k");
}

TEST(Facts, AreVariablesByTheirOwnNames) {
  EXPECT_EQ(filled("%{role} %{::role} %{facts.role} %{scope('role')}", "{role: web}"), R"("web web web web")");
  EXPECT_EQ(filled("%{Big-Name}%{facts.Big-Name}%{big-name}", "{Big-Name: x}"), R"("xx")");
  EXPECT_EQ(filled("<%{gone}>", "{gone: ~}"), R"("<>")");
  EXPECT_EQ(filled("%{environment} %{facts.environment}", "{environment: mine}"), R"("production mine")");
  EXPECT_EQ(filled("%{module_name}%{calling_module}", "{}"), R"("")");
}

TEST(Facts, TrustedComesFromClientcert) {
  EXPECT_EQ(filled("%{trusted.certname} %{trusted.hostname} %{trusted.domain} %{trusted.authenticated}",
                   "{clientcert: web1.example.com, hostname: h, domain: d, fqdn: f}"),
            R"("web1.example.com web1 example.com local")");
  EXPECT_EQ(filled("%{trusted.certname}|%{trusted.domain}", "{clientcert: web1, hostname: h, domain: d, fqdn: f}"),
            R"("web1|")");
  EXPECT_EQ(filled("<%{trusted.certname}> %{trusted.extensions} %{server_facts}", "{}"), R"("<> {} {}")");
}

TEST(Facts, AreChecked) {
  struct Row {
    std::string_view facts;
    std::string_view code;
  };
  for (const Row& row : std::initializer_list<Row>{{"[a]", "facts.shape"},
                                                   {"", "facts.shape"},
                                                   {"text", "facts.shape"},
                                                   {"{name: x}", "facts.name"},
                                                   {"{title: x}", "facts.name"},
                                                   {"{facts: {}}", "facts.name"},
                                                   {"{'12': x}", "facts.name"},
                                                   {"{clientcert: x}", "facts.identity"},
                                                   {"{hostname: x, domain: y, fqdn: z}", "facts.identity"}}) {
    STRATA_EXPECT_ERROR(World(World::Files{}, row.facts), row.code);
  }
}

TEST(Facts, ErrorsHavePlaceAndCaret) {
  Sources sources;
  try {
    (void)read_facts(sources, sources.add("n.yaml", "role: web\ntitle: x\n"), "n.yaml", Limits{});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(format(error.diagnostic(), "error"),
              R"(n.yaml:2:1: error: a fact may not be called 'title': Cannot reassign variable '$title' [facts.name]
    2 | title: x
      | ^
)");
  }
}

TEST(Facts, TheNameSaysTheFormat) {
  Sources sources;
  const auto read = [&](std::string_view name, std::string text) {
    return read_facts(sources, sources.add(name, std::move(text)), name, Limits{});
  };
  EXPECT_EQ(read("a.json", R"({"a": 1})").values.size(), 1U);
  STRATA_EXPECT_ERROR(read("a.json", "a: 1\n"), "json.syntax");
  EXPECT_EQ(read("a.yml", R"({"a": 1})").values.size(), 1U);
  EXPECT_EQ(read("facts", "a: 1\n").values.size(), 1U);
  EXPECT_EQ(read("facts", R"({"a": 1, "b": 2})").values.size(), 2U);
  EXPECT_EQ(read("facts", R"({"pair": "\ud83d\ude00"})").values.size(), 1U) << "JSON that YAML does not take";
}

TEST(Facts, AsPuppetKeepsThem) {
  Sources sources;
  const auto read = [&](std::string text) {
    return read_facts(sources, sources.add("web01", std::move(text)), "web01", Limits{});
  };
  const Facts facts = read(
      "--- !ruby/object:Puppet::Node::Facts\nname: web01\nvalues:\n  role: web\nexpiration: 2030-01-01 00:00:00.5 "
      "+00:00\n");
  ASSERT_EQ(facts.values.size(), 1U);
  EXPECT_EQ(facts.values.find("role")->text(), "web");
  EXPECT_EQ(sources.place(facts.values.find("role")->origin()).line, 4U);
  STRATA_EXPECT_ERROR(read("--- !ruby/object:Puppet::Node::Facts\nname: web01\n"), "facts.shape");
  STRATA_EXPECT_ERROR(read("a: !ruby/object:Puppet::Node {}\n"), "yaml.forbidden");
}

}  // namespace
}  // namespace strata::hiera
