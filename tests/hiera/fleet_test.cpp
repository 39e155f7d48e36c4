// SPDX-License-Identifier: Apache-2.0
#include "strata/fleet.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "strata/builder.hpp"
#include "strata/stop.hpp"
#include "strata/text.hpp"
#include "support/sessions.hpp"
#include "support/threads.hpp"

namespace strata::hiera {
namespace {

/// The files of a code directory, and the facts of some nodes as JSON.
struct FleetWorld {
  std::map<std::string, std::string> files;
  std::vector<std::pair<std::string, std::string>> nodes;
};

std::string list_of(const FleetWorld& world) {
  std::string out = "[";
  for (const auto& [name, facts] : world.nodes) {
    out += (out.size() == 1 ? "\n" : ",\n") + std::string(R"(  {"name": ")") + name + R"(", "facts": )" + facts + "}";
  }
  return out + "\n]\n";
}

/// Gives a text in small pieces.
ReadMore pieces(std::string text, std::size_t size = 7) {
  return [text = std::move(text), at = std::size_t{0}, size]() mutable {
    std::string out = text.substr(std::min(at, text.size()), size);
    at += size;
    return out;
  };
}

/// `threads`: with the caller's own.
std::shared_ptr<Engine> engine_with(unsigned threads) {
  return Engine::make({.executor = threads > 1 ? std::make_shared<strata::testing::Threads>(threads - 1) : nullptr});
}

struct Printed {
  std::string text;
  std::vector<std::string> failures;
  std::vector<std::string> failed_keys;  ///< `NODE KEY`.
  std::vector<std::string> warnings;
  std::string error;
};

Settings fleet_settings(bool share_files) {
  Settings out;
  out.codedir = "/code";
  out.share_files = share_files;
  return out;
}

Printed printed_fleet(const FleetWorld& world, FleetQuery query, unsigned threads, bool share_files = false) {
  const auto snapshot = Snapshot::make(engine_with(threads), memory_tree(world.files));
  Session session(snapshot);
  Printed out;
  try {
    const auto nodes = node_list(pieces(list_of(world)), "nodes.json", session.sources(), session.limits());
    fleet(fleet_settings(share_files), *nodes, query, session, [&](FleetResult&& result) {
      out.text += result.text;
      for (const Diagnostic& warning : result.warnings) out.warnings.push_back(format(warning, "warning"));
      if (result.failure) out.failures.push_back(format(*result.failure, "error"));
      for (const Diagnostic& failed : result.failed_keys) {
        constexpr std::string_view kHead = "lookup of '";
        const std::string_view message = failed.message;
        EXPECT_TRUE(message.starts_with(kHead)) << message;
        out.failed_keys.push_back(
            result.node + " " +
            std::string(message.substr(kHead.size(), message.find('\'', kHead.size()) - kHead.size())));
      }
    });
  } catch (const Error& error) {
    out.error = format(error.diagnostic(), "error");
  }
  return out;
}

/// The same as JSON lines, node by node with a Snapshot of its own: nothing is shared, everything is kept.
Printed alone(const FleetWorld& world, const FleetQuery& query) {
  Printed out;
  for (const auto& [name, text] : world.nodes) {
    Session session = strata::testing::test_session(world.files);
    Arena arena;
    try {
      const SourceId source = session.sources().add("facts.json", text);
      NodeView view(fleet_settings(true), read_facts(session.sources(), source, "facts.json", session.limits()),
                    session);
      MappingBuilder line(arena);
      std::vector<Result> kept;
      if (query.all) {
        MappingBuilder all(arena);
        for (const std::string& key : view.keys()) {
          Query one = query.query;
          one.names = {whole_key(key)};
          try {
            kept.push_back(view.lookup(one));
          } catch (const Error&) {
            out.failed_keys.push_back(name + " " + key);
            continue;
          }
          all.insert(key, kept.back().value.value);
        }
        line.insert(name, all.finish());
      } else {
        kept.push_back(view.lookup(query.query));
        line.insert(name, kept.back().value.value);
      }
      out.text += text::write_json(line.finish(), {.sort_keys = false, .indent = -1});
    } catch (const Error&) {
      out.failures.emplace_back(name);
    }
  }
  return out;
}

FleetWorld small_world() {
  return {.files = {{"/code/environments/production/hiera.yaml",
                     "version: 5\nhierarchy:\n"
                     "  - {name: node, path: \"nodes/%{node}.yaml\"}\n"
                     "  - {name: role, path: \"roles/%{role}.yaml\"}\n"
                     "  - {name: common, path: common.yaml}\n"},
                    {"/code/environments/production/data/common.yaml",
                     "a: 1\nlist: [x]\nname: \"is %{node}\"\nlookup_options: {list: {merge: unique}}\n"},
                    {"/code/environments/production/data/roles/web.yaml", "list: [w]\nport: 80\n"},
                    {"/code/environments/production/data/nodes/n1.yaml", "a: 2\nlist: [n]\n"}},
          .nodes = {{"n1", R"({"node": "n1", "role": "web"})"},
                    {"n2", R"({"node": "n2", "role": "web"})"},
                    {"n3", R"({"node": "n3", "role": "db"})"}}};
}

FleetQuery all_keys(FleetForm form = FleetForm::json_line) {
  FleetQuery query;
  query.all = true;
  query.form = form;
  return query;
}

FleetQuery one_key(std::string key) {
  FleetQuery query;
  query.query.names = {std::move(key)};
  query.form = FleetForm::json_line;
  return query;
}

TEST(Fleet, GivesEveryKeyOfEveryNode) {
  for (const unsigned threads : {1U, 2U, 7U}) {
    const Printed run = printed_fleet(small_world(), all_keys(), threads);
    EXPECT_EQ(run.text, R"({"n1": {"a": 2, "list": ["n", "w", "x"], "name": "is n1", "port": 80}})"
                        "\n"
                        R"({"n2": {"a": 1, "list": ["w", "x"], "name": "is n2", "port": 80}})"
                        "\n"
                        R"({"n3": {"a": 1, "list": ["x"], "name": "is n3"}})"
                        "\n");
    EXPECT_EQ(run.error, "");
  }
}

TEST(Fleet, OptionsThatCannotBeUsedFailForEachNode) {
  FleetWorld world = small_world();
  world.files["/code/environments/production/data/common.yaml"] = "a: 1\nlookup_options: {'^(bad': {}}\n";
  world.files["/code/environments/production/data/roles/web.yaml"] = "a: 2\nlookup_options: {j: {}}\n";
  world.nodes.clear();
  for (const char* name : {"n1", "n2", "n3", "n4", "n5"}) world.nodes.emplace_back(name, R"({"role": "web"})");
  const Printed run =
      printed_fleet(world, all_keys(), 1);  // One after another: the later ones have what the first has worked out.
  EXPECT_EQ(run.failures.size() + run.failed_keys.size(), 5U);
  EXPECT_EQ(run.error, "");
}

TEST(Fleet, WritesMembersAsTheWholeMappingWouldBeWritten) {
  FleetWorld world = small_world();
  world.nodes.resize(1);
  EXPECT_EQ("{\n" + printed_fleet(world, all_keys(FleetForm::json_member), 1).text + "\n}\n", text::write_json([&] {
              static Sources sources;
              static text::Document document;
              document = text::read_json(
                  sources,
                  sources.add("x", R"({"n1": {"a": 2, "list": ["n", "w", "x"], "name": "is n1", "port": 80}})"),
                  Limits());
              return document.root;
            }()));
}

TEST(Fleet, TellsWhichNodeAndKeyFailed) {
  FleetWorld world = small_world();
  world.files["/code/environments/production/data/nodes/n2.yaml"] = "broken: [\n";
  const Printed run = printed_fleet(world, one_key("port"), 2);
  EXPECT_EQ(run.text, "{\"n1\": 80}\n");
  ASSERT_EQ(run.failures.size(), 2U);
  EXPECT_NE(run.failures[0].find("node 'n2', lookup of 'port' failed"), std::string::npos) << run.failures[0];
  EXPECT_NE(run.failures[0].find("nodes/n2.yaml:2:1"), std::string::npos)
      << "a file that goes with its node still has places: " << run.failures[0];
  EXPECT_NE(run.failures[1].find("node 'n3', lookup of 'port' failed"), std::string::npos) << run.failures[1];
}

TEST(Fleet, EndsWithAnErrorOfTheConfigurationBehindTheResultsBeforeIt) {
  FleetWorld world = small_world();
  world.files["/code/environments/production/hiera.yaml"] +=
      "  - {name: none, data_hash: nobody::knows, path: \"only/%{role}.yaml\"}\n";
  world.files["/code/environments/production/data/only/db.yaml"] = "";
  for (const unsigned threads : {1U, 2U, 7U}) {
    const Printed run = printed_fleet(world, one_key("port"), threads);
    EXPECT_NE(run.error.find("hiera.function"), std::string::npos) << run.error;
    EXPECT_EQ(run.text, "{\"n1\": 80}\n{\"n2\": 80}\n");
  }
}

TEST(Fleet, PlacesOfTheListAreThoseOfItsFile) {
  FleetWorld world = small_world();
  world.nodes[1].second = R"({"node": "n2", "facts": {}})";
  const Printed run = printed_fleet(world, all_keys(), 1);
  ASSERT_EQ(run.failures.size(), 1U) << run.error;
  EXPECT_NE(run.failures.front().find(
                "nodes.json:3:42: error: node 'n2': its facts cannot be used: a fact may not be called 'facts'"),
            std::string::npos)
      << run.failures.front();
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(std::ranges::count(run.text, '\n'), 2) << run.text;
}

TEST(Fleet, ListsMayBeWrong) {
  const std::vector<std::pair<std::string, std::string>> table{{"[1]", "fleet.node"},
                                                               {R"([{"facts": {}}])", "fleet.node"},
                                                               {R"([{"name": 3}])", "fleet.node"},
                                                               {R"([{"name": "a"}] x)", "fleet.list"},
                                                               {R"([{"name": "a"})", "fleet.list"},
                                                               {R"([{"name": "a"},])", "json."},
                                                               {"{}", "fleet.list"},
                                                               {"", "fleet.list"},
                                                               {R"([{"name": "a")", "fleet.list"},
                                                               {R"(["\)", "fleet.list"}};
  for (const auto& [text, code] : table) {
    Sources sources;
    const Limits limits;
    try {
      const auto nodes = node_list(pieces(text, 1), "nodes.json", sources, limits);
      while (const auto node = nodes->next()) (void)node->facts(sources);
      ADD_FAILURE() << text << " is accepted";
    } catch (const Error& error) {
      EXPECT_TRUE(error.code().starts_with(code)) << text << ": " << error.code() << ' ' << error.what();
    }
  }
}

TEST(Fleet, ListsMayBeYaml) {
  Sources sources;
  const Limits limits;
  const auto nodes = node_list(pieces("- name: a\n  facts: {x: 1}\n- name: b\n"), "nodes", sources, limits);
  EXPECT_EQ(nodes->size(), 2U);
  EXPECT_EQ(nodes->next()->facts(sources).values.find("x")->as_integer(), 1);
  EXPECT_EQ(nodes->next()->facts(sources).node, "b");
  EXPECT_FALSE(nodes->next());
}

TEST(Fleet, FoldersHoldAFileANode) {
  Sources sources;
  const Limits limits;
  const auto tree =
      memory_tree({{"f/b.json", "{\"x\": 1}"}, {"f/a-b.yml", "x: 2"}, {"f/a.yaml", "x: ["}, {"f/README.md", "no"}});
  const auto nodes = node_folder(*tree, "f", limits);
  EXPECT_EQ(nodes->size(), 3U);
  EXPECT_THROW((void)nodes->next()->facts(sources), LookupError) << "a bad file is its node's trouble";
  EXPECT_EQ(nodes->next()->facts(sources).node, "a-b");
  EXPECT_EQ(nodes->next()->facts(sources).node, "b");
  EXPECT_FALSE(nodes->next());
  const auto twice = memory_tree({{"f/a.json", "{}"}, {"f/a.yml", "{}"}});
  EXPECT_THROW((void)node_folder(*twice, "f", limits), Error);
}

// Random fleets.

std::string random_value(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 7 : 5)) {
    case 0:
      return std::to_string(*rc::gen::inRange(0, 9));
    case 1:
      return R"("%{os}")";
    case 2:
      return R"("%{lookup('k1')}")";
    case 3:
    case 4:
      return "t" + std::to_string(*rc::gen::inRange(0, 9));
    case 5: {
      std::string out = "[";
      for (int i = *rc::gen::inRange(0, 3); i > 0; --i) out += random_value(depth - 1) + ", ";
      return out + "]";
    }
    default: {
      std::string out = "{";
      for (int i = *rc::gen::inRange(0, 3); i > 0; --i)
        out += "m" + std::to_string(*rc::gen::inRange(0, 3)) + ": " + random_value(depth - 1) + ", ";
      return out + "}";
    }
  }
}

std::string random_file(const std::string& prefix) {
  std::string out = "unused: 1\n";
  for (int key = 0; key < 5; ++key) {
    if (*rc::gen::inRange(0, 3) == 0) out += prefix + "k" + std::to_string(key) + ": " + random_value(2) + "\n";
  }
  static const std::vector<std::string> kMerges{"first", "unique", "hash", "deep"};
  if (*rc::gen::inRange(0, 6) == 0) {
    const std::string name = prefix.empty() ? "k1" : "'" + prefix + "k1'";
    out += "lookup_options: {" + name + ": {merge: " + *rc::gen::elementOf(kMerges) + "}}\n";
  }
  // A key that another layer's module owns.
  if (prefix.empty() && *rc::gen::inRange(0, 4) == 0) out += "'mod::k1': " + random_value(2) + "\n";
  return out;
}

FleetWorld random_world() {
  FleetWorld world;
  const std::string environment = "/code/environments/production/";
  world.files[environment + "hiera.yaml"] =
      "version: 5\nhierarchy:\n"
      "  - {name: node, path: \"nodes/%{node}.yaml\"}\n"
      "  - {name: several, paths: [\"roles/%{role}.yaml\", \"os/%{os}.yaml\"]}\n"
      "  - {name: mapped, mapped_paths: [tags, tag, \"tags/%{tag}.yaml\"]}\n"
      "  - {name: common, path: common.yaml}\n";
  world.files[environment + "data/common.yaml"] = random_file("");
  for (const char* name : {"roles/r0", "roles/r1", "os/o0", "os/o1", "tags/t0", "tags/t1", "nodes/n0", "nodes/n3"}) {
    if (*rc::gen::inRange(0, 4) != 0) world.files[environment + "data/" + name + ".yaml"] = random_file("");
  }
  if (*rc::gen::inRange(0, 2) == 0) {
    world.files["/code/hiera.yaml"] =
        "version: 5\ndefaults: {datadir: global, data_hash: yaml_data}\nhierarchy: [{name: g, path: \"%{os}.yaml\"}]\n";
    world.files["/code/global/o0.yaml"] = random_file("");
  }
  const std::string module = environment + "modules/mod/";
  world.files[module + "hiera.yaml"] =
      "version: 5\nhierarchy: [{name: m, path: \"%{os}.yaml\"}]\ndefault_hierarchy: [{name: d, path: defaults.yaml}]\n";
  world.files[module + "data/o0.yaml"] = random_file("mod::");
  world.files[module + "data/defaults.yaml"] = random_file("mod::");
  for (int i = 0; i < 12; ++i) {
    const std::string name = "n" + std::to_string(i);
    const auto pick = [](const char* what, int most) { return what + std::to_string(*rc::gen::inRange(0, most)); };
    std::string tags;
    for (int tag = *rc::gen::inRange(0, 3); tag > 0; --tag)
      tags += (tags.empty() ? "\"" : ", \"") + pick("t", 2) + "\"";
    world.nodes.emplace_back(name, R"({"node": ")" + name + R"(", "role": ")" + pick("r", 3) + R"(", "os": ")" +
                                       pick("o", 2) + R"(", "tags": [)" + tags + "]}");
  }
  return world;
}

std::vector<std::string> nodes_of(const std::vector<std::string>& failures) {
  std::vector<std::string> out;
  for (const std::string& failure : failures) {
    const std::size_t begin = failure.find("node '") + 6;
    out.push_back(failure.substr(begin, failure.find('\'', begin) - begin));
  }
  return out;
}

RC_GTEST_PROP(FleetProperties, NodesThatShareGetWhatEachGetsAlone, ()) {
  const FleetWorld world = random_world();
  FleetQuery query = *rc::gen::arbitrary<bool>()
                         ? all_keys()
                         : one_key(*rc::gen::element<std::string>("k1", "k1.m1", "k2", "mod::k1", "nothing"));
  Arena arena;
  if (*rc::gen::arbitrary<bool>())
    query.query.merge = arena.text(*rc::gen::element<std::string>("first", "unique", "hash", "deep"));
  if (*rc::gen::arbitrary<bool>()) query.query.default_value = arena.text("fallback");
  const Printed expected = alone(world, query);
  const Printed one = printed_fleet(world, query, 1);
  RC_ASSERT(one.error.empty());
  RC_ASSERT(one.text == expected.text);
  RC_ASSERT(nodes_of(one.failures) == expected.failures);
  RC_ASSERT(one.failed_keys == expected.failed_keys);
  for (const unsigned threads : {2U, 7U}) {
    const Printed many = printed_fleet(world, query, threads);
    RC_ASSERT(many.text == one.text);
    RC_ASSERT(many.failures == one.failures);
    RC_ASSERT(many.failed_keys == one.failed_keys);
    RC_ASSERT(many.error == one.error);
  }
  RC_ASSERT(printed_fleet(world, query, 1, true).text == one.text);
}

TEST(Fleet, EndsSoonWhenItIsCancelled) {
  FleetWorld world = small_world();
  for (int i = 0; i < 5000; ++i)
    world.nodes.emplace_back("n" + std::to_string(i), R"({"node": "none", "role": "none"})");
  for (const unsigned threads : {1U, 4U}) {
    Stop stop;
    Session session(Snapshot::make(engine_with(threads), memory_tree(world.files)), {.limits = {.stop = &stop}});
    const auto nodes = node_list(pieces(list_of(world), 4096), "nodes.json", session.sources(), session.limits());
    FleetQuery query;
    query.all = true;
    std::size_t results = 0;
    std::string failures;
    try {
      fleet(fleet_settings(false), *nodes, query, session, [&](FleetResult&& result) {
        if (result.failure) failures += result.failure->message;
        if (++results == 10) stop.cancel();
      });
      ADD_FAILURE() << "an incomplete fleet is not reported";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "session.cancelled");
    }
    EXPECT_LT(results, world.nodes.size());
    EXPECT_EQ(failures, "");
  }
}

TEST(Fleet, ThatIsCancelledLeavesItsSnapshotWhole) {
  FleetWorld world = small_world();
  for (int i = 0; i < 2000; ++i)
    world.nodes.emplace_back("n" + std::to_string(i + 4), R"({"node": "none", "role": "web"})");
  const auto run = [&](const std::shared_ptr<Snapshot>& snapshot, bool cancels) {
    Session session(snapshot);
    const auto nodes = node_list(pieces(list_of(world), 4096), "nodes.json", session.sources(), session.limits());
    FleetQuery query = all_keys();
    std::string out;
    std::size_t results = 0;
    try {
      fleet(fleet_settings(true), *nodes, query, session, [&](FleetResult&& result) {
        out += result.text;
        if (result.failure) out += result.failure->message;
        if (cancels && ++results == 5) session.stop().cancel();
      });
    } catch (const Error& error) {
      out += error.code();
    }
    return out;
  };
  for (const unsigned threads : {1U, 4U}) {
    const auto snapshot = Snapshot::make(engine_with(threads), memory_tree(world.files));
    const std::string part = run(snapshot, true);
    EXPECT_TRUE(part.ends_with("}\nsession.cancelled")) << part.substr(part.size() > 200 ? part.size() - 200 : 0);
    const std::string whole = run(snapshot, false);
    EXPECT_EQ(std::ranges::count(whole, '\n'), static_cast<std::ptrdiff_t>(world.nodes.size()));
    EXPECT_TRUE(whole.starts_with(part.substr(0, part.rfind('\n') + 1))) << "the results before the end are whole";
    EXPECT_EQ(whole, printed_fleet(world, all_keys(), threads).text) << "another Snapshot gives the same";
  }
}

TEST(Fleet, ANodesDataInTheGlobalLayerIsItsOwnTrouble) {
  const FleetWorld world{
      .files = {{"/code/hiera.yaml", "version: 5\nhierarchy: [{name: node, path: '%{node}.yaml'}]\n"},
                {"/code/data/a.yaml", "k: 1\n"},
                {"/code/data/b.yaml", "k: [\n"}},
      .nodes = {{"a", R"({"node": "a"})"}, {"b", R"({"node": "b"})"}, {"c", R"({"node": "a"})"}}};
  FleetQuery query;
  query.query.names = {"k"};
  query.form = FleetForm::json_line;
  const Printed printed = printed_fleet(world, query, 1);
  EXPECT_EQ(printed.error, "");
  EXPECT_EQ(printed.text, "{\"a\": 1}\n{\"c\": 1}\n");
  ASSERT_EQ(printed.failures.size(), 1U);
  EXPECT_NE(printed.failures.front().find("node 'b'"), std::string::npos) << printed.failures.front();
}

}  // namespace
}  // namespace strata::hiera
