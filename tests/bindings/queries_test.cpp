// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "queries_world.hpp"

namespace strata::bindings::queries {
namespace {

constexpr const char* kInventory = R"(types:
  Web: [dbuser, dbpass]
resources:
- {type: Sql, title: one, certname: db1, tags: [prod, Blue], file: /etc/a.pp, line: 7, parameters: {user: Bob, size: 10, list: [1, a], on: true}}
- {type: sql, title: Two, certname: db2, exported: true, parameters: {user: eve, size: 20.5, title: inner}}
- {type: Web::site, title: three, parameters: {size: "10"}}
)";

TEST(Queries, Conditions) {
  World world(kInventory);
  EXPECT_EQ(world.titles("Sql[??]"), "one Two ");
  EXPECT_EQ(world.titles("?? size > 5"), "one Two ");
  EXPECT_EQ(world.titles("Sql[?? name == 'ONE']"), "one ");
  EXPECT_EQ(world.titles("Sql[?? title == 'two']"), "Two ");
  EXPECT_EQ(world.titles("Sql[?? parameter.title == inner]"), "Two ");
  EXPECT_EQ(world.titles("?? type == sql and certname == 'DB2'"), "Two ");
  EXPECT_EQ(world.titles("?? exported == true"), "Two ");
  EXPECT_EQ(world.titles("?? exported == 'true'"), "");
  EXPECT_EQ(world.titles("?? tag == 'BLUE'"), "one ");
  EXPECT_EQ(world.titles("?? tag != prod"), "Two three ");
  EXPECT_EQ(world.titles("?? tag ~= /^B/"), "one ");
  EXPECT_EQ(world.titles("?? tag !~ /^B/"), "Two three ");
  EXPECT_EQ(world.titles("?? user == bob or user == 'EVE'"), "one Two ");
  EXPECT_EQ(world.titles("?? user == undef"), "three ");
  EXPECT_EQ(world.titles("?? user != undef and size != 10"), "Two ");
  EXPECT_EQ(world.titles("?? size == 10.0"), "one ");
  EXPECT_EQ(world.titles("?? size == '10'"), "three ");
  EXPECT_EQ(world.titles("?? size ~= '^10'"), "one three ");
  EXPECT_EQ(world.titles("?? list ~= 'a'"), "one ");
  EXPECT_EQ(world.titles("?? on == true"), "one ");
  EXPECT_EQ(world.titles("?? not user ~= /^[be]/"), "one three ");
  EXPECT_EQ(world.titles("?? file == '/ETC/a.pp' and line == 7"), "one ");
  EXPECT_EQ(world.titles("?? not file == '/etc/a.pp'"), "Two three ");
  EXPECT_EQ(world.titles("Nothing[??]"), "");
}

TEST(Queries, OrderingOfUnlikeKindsIsFalse) {
  World world(kInventory);
  EXPECT_EQ(world.titles("?? size < '2'"), "three ");
  EXPECT_EQ(world.titles("?? not size < '2'"), "one Two ");
  EXPECT_EQ(world.titles("?? user >= undef"), "");
  EXPECT_EQ(world.titles("?? on < 5"), "");
  EXPECT_EQ(world.titles("?? certname <= 'DB1'"), "one ");
}

TEST(Queries, OperandsAreExpressions) {
  World world(kInventory);
  EXPECT_EQ(world.titles("?? size == (5 + 5)"), "one ");
  EXPECT_EQ(world.titles("?? title == \"o${'n'}e\""), "one ");
  EXPECT_EQ(world.failure("?? size ~= 5"),
            "query.pattern: a field must be matched with a regular expression or a text, not an integer");
  EXPECT_EQ(world.failure("?? size ~= '('").substr(0, 14), "query.pattern:");
  EXPECT_EQ(world.failure("?? size == (1 / 0)").substr(0, 7), "puppet.");
}

TEST(Queries, PrintedForm) {
  World world(kInventory);
  EXPECT_EQ(text::write_json(world.evaluate("Sql[?? size > 15]"), {.sort_keys = false, .indent = -1}),
            R"([{"type": "Sql", "title": "Two", "certname": "db2", "exported": true, "tags": [], )"
            R"("parameters": {"user": "eve", "size": 20.5, "title": "inner"}}])"
            "\n");
  EXPECT_EQ(
      text::write_json(world.evaluate("Web::Site[??]"), {.sort_keys = false, .indent = -1}),
      R"([{"type": "Web::Site", "title": "three", "certname": null, "exported": false, "tags": [], "parameters": {"size": "10"}}])"
      "\n");
}

TEST(Queries, ReferencesAreExactButForClasses) {
  World world(
      "- {type: Sql, title: one}\n- {type: Sql, title: One}\n- {type: Class, title: Ntp::Server}\n- {type: Web, title: "
      "one}\n");
  EXPECT_EQ(world.answers->find("sql", "one", {}).size(), 1U);
  EXPECT_EQ(world.answers->find("Sql", "ONE", {}).size(), 0U);
  EXPECT_EQ(world.answers->find("Class", "ntp::server", {}).size(), 1U);
  EXPECT_EQ(world.answers->find("Web", "one", {}).size(), 1U);
  EXPECT_EQ(world.answers->find("Web", "none", {}).size(), 0U);
}

TEST(Queries, EveryLeafHasItsPlaceAndResource) {
  World world(kInventory);
  const Value found = world.evaluate("Sql[?? title == one]").items()[0];
  const Value user = *found.find("parameters")->find("user");
  EXPECT_EQ(world.sources.place(user.origin()).to_string(), "nodes.yaml:4:107");
  const auto origin = world.answers->origin_of(user.origin());
  ASSERT_TRUE(origin);
  EXPECT_EQ(origin->certname + "|" + origin->type + "|" + origin->title + "|" + origin->parameter, "db1|Sql|one|user");
  const auto item = world.answers->origin_of(found.find("parameters")->find("list")->items()[1].origin());
  ASSERT_TRUE(item);
  EXPECT_EQ(item->parameter, "list");
  const auto title = world.answers->origin_of(found.find("title")->origin());
  ASSERT_TRUE(title);
  EXPECT_EQ(title->title + "|" + title->parameter, "one|");
  EXPECT_FALSE(world.answers->origin_of({}));
}

TEST(Queries, EdgesTellWhatFedAKey) {
  World world(kInventory);
  (void)world.evaluate("Sql[??]");
  {
    const Answers::Feeding outer(*world.answers, "dbs");
    (void)world.evaluate("Sql[?? title == two]");
    {
      const Answers::Feeding inner(*world.answers, "one");
      (void)world.answers->find("Sql", "one", {});
    }
    (void)world.evaluate("Sql[?? title == two]");
  }
  std::string edges;
  for (const Edge& edge : world.answers->edges())
    edges += edge.from.title + " of " + edge.from.certname + " -> " + edge.key + "\n";
  EXPECT_EQ(edges, "Two of db2 -> dbs\none of db1 -> one\n");
}

TEST(Queries, OwnResourcesAreNeverThere) {
  World world(kInventory, "DB1");
  EXPECT_EQ(world.titles("Sql[??]"), "Two ");
  EXPECT_EQ(world.answers->find("Sql", "one", {}).size(), 0U);
}

TEST(Queries, NoService) {
  World world;
  EXPECT_EQ(world.failure("Sql[??]"), "query.no-service: there is no query service to answer this");
  EXPECT_FALSE(world.answers->parameter_names("Web"));
}

std::string inventory_failure(const std::string& inventory, const std::string& file = "nodes.yaml") {
  try {
    const World world(inventory, {}, file);
    return "none";
  } catch (const Error& error) {
    const Place& place = error.diagnostic().where.place;
    return error.code() + " " + std::to_string(place.line.value_or(0)) + ": " + error.what();
  }
}

TEST(Inventory, ListsMappingsAndJson) {
  EXPECT_EQ(World("- {type: A, title: x}\n").titles("?? title != nothing"), "x ");
  EXPECT_EQ(World("types: {}\n").titles("?? title != nothing"), "");
  EXPECT_EQ(
      World("{\n\t\"resources\": [{\"type\": \"A\", \"title\": \"x\"}]}", {}, "n.json").titles("?? title != nothing"),
      "x ");
  World world(kInventory);
  EXPECT_EQ(world.answers->parameter_names("web").value_or(std::vector<std::string>{}),
            (std::vector<std::string>{"dbuser", "dbpass"}));
  EXPECT_FALSE(world.answers->parameter_names("Other"));
}

TEST(Inventory, WhatIsWrongHasAPlace) {
  EXPECT_EQ(inventory_failure("a\n"),
            "query.inventory 1: the inventory nodes.yaml: the resources must be a list, not text");
  EXPECT_EQ(inventory_failure("- 1\n"),
            "query.resource 1: the inventory nodes.yaml: a resource must be a mapping, not an integer");
  EXPECT_EQ(inventory_failure("- {title: x}\n"),
            "query.resource 1: the inventory nodes.yaml: a resource has no 'type'");
  EXPECT_EQ(inventory_failure("- {type: A, title: 1}\n"),
            "query.resource 1: the inventory nodes.yaml: 'title' of a resource must be a text that is not empty, not "
            "an integer");
  EXPECT_EQ(inventory_failure("- type: A\n  title: x\n  tags: a\n"),
            "query.resource 3: the inventory nodes.yaml: 'tags' of a resource must be a list of texts, not text");
  EXPECT_EQ(inventory_failure("- type: A\n  title: x\n  tags:\n  - a\n  - 1\n"),
            "query.resource 5: the inventory nodes.yaml: 'tags' of a resource must be a list of texts; this item is an "
            "integer");
  EXPECT_EQ(
      inventory_failure("- type: A\n  title: x\n  exported: 1\n"),
      "query.resource 3: the inventory nodes.yaml: 'exported' of a resource must be true or false, not an integer");
  EXPECT_EQ(inventory_failure("- {type: A, title: x, certname: n}\n- {type: a, title: x, certname: N}\n"),
            "query.duplicate 2: the inventory nodes.yaml: A[x] of N occurs twice");
  EXPECT_EQ(inventory_failure("types: [a]\n"),
            "query.inventory 1: the inventory nodes.yaml: 'types' of an inventory must be a mapping from types to the "
            "names of their parameters, not a "
            "sequence");
  EXPECT_EQ(inventory_failure("types: {A: x}\n"),
            "query.inventory 1: the inventory nodes.yaml: 'A' of 'types' must be a list of names, not text");
  EXPECT_EQ(
      inventory_failure("resources: x\n"),
      "query.inventory 1: the inventory nodes.yaml: 'resources' of an inventory must be a list of resources, not text");
  EXPECT_EQ(inventory_failure("[", "n.json").substr(0, 5), "json.");
}

}  // namespace
}  // namespace strata::bindings::queries
